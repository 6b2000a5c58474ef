/** The area of premises, prepared for positions to be compared with. */
import { squareMetres } from "../areas/geometry/Area.ts"
import { boundsOf } from "../areas/geometry/Bounds.ts"
import { describeFault } from "../areas/geometry/Fault.ts"
import type { Polygons } from "../areas/geometry/Position.ts"
import { readArea } from "../areas/geometry/readArea.ts"
import { isFault } from "../areas/geometry/Shape.ts"
import { halfSlope, metresEast, metresNorth, wrapped } from "./metres.ts"
import type { GeofenceArea, GeofencePremises } from "./types.ts"

/** Premises with the edges of their area: an edge has four numbers, the longitude and latitude of its ends. */
export interface Fence {
  readonly key: string
  readonly premises: GeofencePremises
  readonly edges: Float64Array
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
  /** The side in metres of a square as large: fixes much worse say nothing about the area. */
  readonly side: number
  /** NaN where the fence is on all levels. */
  readonly level: number
  readonly depth: number
}

const edgesOf = (polygons: Polygons): Float64Array => {
  const edges: Array<number> = []
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) edges.push(...ring[i - 1]!, ...ring[i]!)
  }
  return Float64Array.from(edges)
}

const isId = (id: unknown): id is number => typeof id === "number" && Number.isFinite(id)

/** A fence of an area. Throws a TypeError that names the premises if the text is no tracking area. */
const makeFence = (area: GeofenceArea): Fence => {
  const { organizationId, placeId, trackingArea, level = NaN, depth = 0 } = area
  if (isId(organizationId) === isId(placeId)) {
    throw new TypeError("An area needs either an organizationId or a placeId.")
  }
  const premises = isId(placeId) ? { placeId } : { organizationId: organizationId! }
  const key = isId(placeId) ? `place ${placeId}` : `organization ${organizationId}`
  if (typeof trackingArea !== "string") throw new TypeError(`The area of ${key}: The text is missing.`)
  const polygons = readArea(trackingArea)
  if (isFault(polygons)) throw new TypeError(`The area of ${key}: ${describeFault(polygons)}`)
  const side = Math.sqrt(squareMetres(polygons))
  return { key, premises, edges: edgesOf(polygons), ...boundsOf(polygons), side, level, depth }
}

/** The fences of areas, outer before inner: by their depth, and an area is larger than whatever lies inside it. */
export const makeFences = (areas: ReadonlyArray<GeofenceArea>): ReadonlyArray<Fence> => {
  const fences = areas.map(makeFence).sort((a, b) => a.depth - b.depth || b.side - a.side)
  const twice = fences.find(({ key }, i) => fences.findIndex((other) => other.key === key) !== i)
  if (twice) throw new TypeError(`There are two areas of ${twice.key}.`)
  return fences
}

/** Where {@link measure} finds the farthest distance of interest, and puts the distance. */
export const FARTHEST = 3
export const METRES = 4

/**
 * The distance in metres from a position to the border of a fence: below 0 inside it, and inside a hole above 0. Of a
 * distance above `farthest` it may answer less, but more than `farthest`: the bounds then suffice. It takes numbers from an array, and
 * puts its result there, since numbers that are passed to a function this large are objects.
 */
export const measure = (fence: Fence, numbers: Float64Array): void => {
  const { edges } = fence
  const latitude = numbers[0]!
  const longitude = numbers[1]!
  const farthest = numbers[FARTHEST]!
  const north = metresNorth(latitude)
  const east = metresEast(latitude)
  const slope = halfSlope(latitude)
  // No area crosses the antimeridian: the position is taken on the area's side of it.
  const middle = (fence.west + fence.east) / 2
  const offset = middle + wrapped(longitude - middle)
  // No corner is nearer than the bounds, where a degree of longitude is shortest.
  const atSouth = east + slope * (fence.south - latitude)
  const atNorth = east + slope * (fence.north - latitude)
  const beside = Math.max(fence.west - offset, offset - fence.east) * Math.max(0, Math.min(atSouth, atNorth))
  const apart = Math.max(0, beside, (fence.south - latitude) * north, (latitude - fence.north) * north)
  numbers[METRES] = apart
  if (apart > 0 && apart > farthest) return
  let nearest = Infinity
  let isInside = false
  for (let i = 0; i < edges.length; i += 4) {
    const latA = edges[i + 1]! - latitude
    const latB = edges[i + 3]! - latitude
    const ax = (edges[i]! - offset) * (east + slope * latA)
    const ay = latA * north
    const bx = (edges[i + 2]! - offset) * (east + slope * latB)
    const by = latB * north
    const dx = bx - ax
    const dy = by - ay
    // Most edges are nearest at an end: they need no division.
    const along = -(ax * dx + ay * dy)
    const length = dx * dx + dy * dy
    const t = along <= 0 ? 0 : along >= length ? 1 : along / length
    const x = ax + t * dx
    const y = ay + t * dy
    const squared = x * x + y * y
    if (squared < nearest) nearest = squared
    if (ay > 0 !== by > 0 && ay * dx - ax * dy > 0 === dy < 0) isInside = !isInside
  }
  const distance = Math.sqrt(nearest)
  numbers[METRES] = isInside ? -distance : distance
}

/** {@link measure} as a function of numbers, where a few objects do not matter. */
export const metresToBorder = (fence: Fence, latitude: number, longitude: number, farthest = Infinity): number => {
  const numbers = Float64Array.of(latitude, longitude, 0, farthest, 0)
  measure(fence, numbers)
  return numbers[METRES]!
}

/** Whether two levels differ. NaN is on all levels, and differs from none. */
export const areApart = (level: number, other: number): boolean => Math.abs(level - other) > 0

/** Whether a fence may lie inside another, by their levels and bounds. */
export const liesWithin = (inner: Fence, outer: Fence): boolean =>
  !areApart(inner.level, outer.level) &&
  inner.west >= outer.west &&
  inner.east <= outer.east &&
  inner.south >= outer.south &&
  inner.north <= outer.north
