/** Where a drawing overlaps other areas, or lies outside of those that it is a part of. The server judges; this marks all places at once. */
import { boundsOf, labelOf, type Polygons, type Position, type Ring } from "../shared/area.ts"

/** How near borders are to touch, in degrees: a little more than for the server, so that nothing is marked that it accepts. */
const TOUCH_DEGREES = 3e-7

type Edge = readonly [from: Position, to: Position]
type Side = "inside" | "outside" | "border"

const edgesOf = (polygons: Polygons): ReadonlyArray<Edge> =>
  polygons.flat().flatMap((ring) => ring.slice(1).map((to, nth): Edge => [ring[nth]!, to]))

/** Where along an edge, from 0 to 1, the point is that is nearest to a position, and how far that is. */
const nearestOn = ([[x1, y1], [x2, y2]]: Edge, [x, y]: Position): readonly [t: number, distance: number] => {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const t = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1)
  return [t, Math.hypot(x1 + t * dx - x, y1 + t * dy - y)]
}

/** Where along the first edge it meets the second one. */
const meetings = (one: Edge, other: Edge): ReadonlyArray<number> => {
  const [[[x1, y1], [x2, y2]], [[x3, y3], [x4, y4]]] = [one, other]
  const touching = other.flatMap((end) => {
    const [t, distance] = nearestOn(one, end)
    return distance <= TOUCH_DEGREES ? [t] : []
  })
  const cross = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
  if (cross === 0) return touching
  const t = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / cross
  const u = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / cross
  return t > 0 && t < 1 && u >= 0 && u <= 1 ? [...touching, t] : touching
}

const sideOf = (edges: ReadonlyArray<Edge>, position: Position): Side => {
  const [x, y] = position
  let isInside = false
  for (const edge of edges) {
    const [[x1, y1], [x2, y2]] = edge
    if (nearestOn(edge, position)[1] <= TOUCH_DEGREES) return "border"
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
  }
  return isInside ? "inside" : "outside"
}

const areApart = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one[0]! > other[2]! + TOUCH_DEGREES ||
  other[0]! > one[2]! + TOUCH_DEGREES ||
  one[1]! > other[3]! + TOUCH_DEGREES ||
  other[1]! > one[3]! + TOUCH_DEGREES

/** The pieces of the first border that are on this side of the second one. */
const piecesOf = (edges: ReadonlyArray<Edge>, others: ReadonlyArray<Edge>, side: Side): ReadonlyArray<Ring> => {
  const bounded = others.map((edge) => [edge, boundsOf(edge)] as const)
  return edges.flatMap((edge) => {
    const [[x1, y1], [x2, y2]] = edge
    const bounds = boundsOf(edge)
    const at = (t: number): Position => [x1 + t * (x2 - x1), y1 + t * (y2 - y1)]
    const cuts = [0, 1, ...bounded.flatMap(([other, box]) => (areApart(bounds, box) ? [] : meetings(edge, other)))]
    return cuts
      .sort((a, b) => a - b)
      .flatMap((to, nth, all) => {
        const from = all[nth - 1] ?? to
        return from < to && sideOf(others, at((from + to) / 2)) === side ? [[at(from), at(to)]] : []
      })
  })
}

/** The pieces of both borders that show that the first area is not on this side of the second one; the whole first border where both run together. */
const faultsOf = (area: Polygons, other: Polygons, wrong: "inside" | "outside"): ReadonlyArray<Ring> => {
  const [edges, others] = [edgesOf(area), edgesOf(other)]
  const pieces = [...piecesOf(edges, others, wrong), ...piecesOf(others, edges, "inside")]
  if (pieces.length > 0) return pieces
  const { x, y } = labelOf(area, ([x, y]) => [x, y])
  return sideOf(others, [x, y]) === wrong ? area.flat() : []
}

export interface NamedArea {
  readonly name: string
  readonly polygons: Polygons
}

/** An area that another one overlaps, or is outside of, and where. */
export interface Misplaced {
  readonly name: string
  readonly lines: ReadonlyArray<Ring>
}

const foundIn = (others: ReadonlyArray<NamedArea>, find: (other: Polygons) => ReadonlyArray<Ring>) =>
  others
    .map(({ name, polygons }): Misplaced => ({ name, lines: find(polygons) }))
    .filter(({ lines }) => lines.length > 0)

/** Those of other areas that an area overlaps. Areas whose borders touch are apart. */
export const overlapsOf = (area: Polygons, others: ReadonlyArray<NamedArea>): ReadonlyArray<Misplaced> => {
  const bounds = boundsOf(area.flat(2))
  return foundIn(others, (other) => (areApart(bounds, boundsOf(other.flat(2))) ? [] : faultsOf(area, other, "inside")))
}

/** Those of other areas inside of which an area is not. */
export const outsideOf = (area: Polygons, outer: ReadonlyArray<NamedArea>): ReadonlyArray<Misplaced> =>
  foundIn(outer, (other) => faultsOf(area, other, "outside"))

/** Those of other areas that are not inside of an area. */
export const leftOutOf = (area: Polygons, parts: ReadonlyArray<NamedArea>): ReadonlyArray<Misplaced> =>
  foundIn(parts, (part) => faultsOf(part, area, "outside"))
