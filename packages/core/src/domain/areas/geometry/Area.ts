/** Computes the area of polygons on the WGS84 ellipsoid. */
import type { Polygons, Position } from "./Position.ts"

/** The WGS84 ellipsoid: the semi-axes in metres, and the eccentricity. */
const EQUATORIAL_RADIUS = 6378137
const POLAR_RADIUS = EQUATORIAL_RADIUS * (1 - 1 / 298.257223563)
const SQUARED_ECCENTRICITY = 1 - (POLAR_RADIUS / EQUATORIAL_RADIUS) ** 2
const ECCENTRICITY = Math.sqrt(SQUARED_ECCENTRICITY)

const RADIANS = Math.PI / 180

/** Gauss-Legendre quadrature with five points: precise to the last digits for pieces of at most {@link LONGEST_PIECE} degrees. */
const NODES = [
  [-0.906179845938664, 0.23692688505618908],
  [-0.5384693101056831, 0.47862867049936647],
  [0, 0.5688888888888889],
  [0.5384693101056831, 0.47862867049936647],
  [0.906179845938664, 0.23692688505618908]
] as const
const LONGEST_PIECE = 10

/**
 * The area between two parallels per radian of longitude, in square metres. Written with the difference of the sines
 * factored out, so that a small area loses no digits to the subtraction of two large ones.
 */
const bandBetween = (lat: number, reference: number): number => {
  const e2 = SQUARED_ECCENTRICITY
  const [s, r] = [Math.sin(lat * RADIANS), Math.sin(reference * RADIANS)]
  const difference = 2 * Math.cos(((lat + reference) / 2) * RADIANS) * Math.sin(((lat - reference) / 2) * RADIANS)
  const rational = (difference * (1 + e2 * s * r)) / ((1 - e2 * s * s) * (1 - e2 * r * r))
  const logarithm = Math.atanh((ECCENTRICITY * difference) / (1 - e2 * s * r)) / ECCENTRICITY
  return (POLAR_RADIUS ** 2 / 2) * (rational + logarithm)
}

/** The signed area between an edge and the parallel of `reference`. The edge is straight in longitude and latitude. */
const areaUnder = ([fromLng, fromLat]: Position, [toLng, toLat]: Position, reference: number): number => {
  const pieces = Math.max(1, Math.ceil(Math.abs(toLat - fromLat) / LONGEST_PIECE))
  const step = (toLat - fromLat) / pieces
  let meanBand = 0
  for (let piece = 0; piece < pieces; piece++) {
    const middle = fromLat + (piece + 0.5) * step
    for (const [node, weight] of NODES) meanBand += (weight / 2) * bandBetween(middle + (node * step) / 2, reference)
  }
  return ((toLng - fromLng) * RADIANS * meanBand) / pieces
}

const ringArea = (ring: ReadonlyArray<Position>): number => {
  const reference = ring[0]?.[1] ?? 0
  return Math.abs(ring.reduce((sum, to, i) => (i === 0 ? 0 : sum + areaUnder(ring[i - 1]!, to, reference)), 0))
}

/**
 * The area in square metres on the WGS84 ellipsoid, with edges straight in longitude and latitude: shells without their
 * holes, parts added up. The polygons must be valid.
 */
export const squareMetres = (polygons: Polygons): number =>
  polygons.reduce(
    (total, [shell = [], ...holes]) => total + holes.reduce((rest, hole) => rest - ringArea(hole), ringArea(shell)),
    0
  )
