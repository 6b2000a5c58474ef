import { orient2d } from "robust-predicates"

/** A longitude and a latitude in degrees. The plane of the rules is this one: edges are straight in it. */
export type Position = readonly [lng: number, lat: number]

/** Parts > rings > positions. The first ring of a part is its shell, the others are holes; first and last are equal. */
export type Polygons = ReadonlyArray<ReadonlyArray<ReadonlyArray<Position>>>

/** Where a position stands in the coordinates as they were given, counted from 0. A Polygon is part 0. */
export type PositionAt = readonly [part: number, ring: number, position: number]

/** Where a ring stands in the coordinates as they were given, counted from 0. */
export type RingAt = readonly [part: number, ring: number]

/** An edge, by its two ends in the order in which they were drawn. */
export interface EdgeAt {
  readonly from: PositionAt
  readonly to: PositionAt
}

/**
 * What lies nearer than this touches: 2e-7 degrees, about 2 cm.
 *
 * No drawing repeats a point on a slanted border exactly. A vertex that is drawn on a neighbour's side and kept with 7
 * decimals is up to 1.4e-7 degrees off it, and must still count as lying on it.
 */
export const TOUCHING_DISTANCE = 2e-7

const NEAR = TOUCHING_DISTANCE ** 2

/** On which side of the line from `a` to `b` lies `p`? 1 left, 0 on it, -1 right. Exact for every double. */
export const sideOf = (a: Position, b: Position, p: Position): number =>
  -Math.sign(orient2d(a[0], a[1], b[0], b[1], p[0], p[1]))

/** How far along the segment from `a` to `b` is the point of its line that is nearest to `p`: 0 at `a`, 1 at `b`. */
export const along = (p: Position, a: Position, b: Position): number => {
  const x = b[0] - a[0]
  const y = b[1] - a[1]
  return ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / (x * x + y * y)
}

/** Are two positions the same, as far as a drawing can tell? */
export const touches = (p: Position, q: Position): boolean => (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 < NEAR

/** Does a position lie on the segment from `a` to `b`, as far as a drawing can tell? */
export const touchesSegment = (p: Position, a: Position, b: Position): boolean => {
  const t = Math.min(1, Math.max(0, along(p, a, b)))
  const x = p[0] - a[0] - t * (b[0] - a[0])
  const y = p[1] - a[1] - t * (b[1] - a[1])
  return x * x + y * y < NEAR
}
