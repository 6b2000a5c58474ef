/** The plane that all geometry is done in, and how near two positions count as one. */
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

/** What lies nearer than this within one area touches: 2e-7 degrees, about 2 cm. */
export const TOUCHING_DISTANCE = 2e-7

/**
 * Borders of two areas that are nearer than this are shared: 1.5e-6 degrees, about 15 cm.
 *
 * No drawing repeats a point on a slanted border exactly. A vertex that is drawn on another area's border is up to 7.1e-7 degrees off it once
 * it is kept with 6 decimals, as RFC 7946 recommends and editors do, and so is the border.
 */
export const SHARED_DISTANCE = 1.5e-6

/** On which side of the line from `a` to `b` lies `p`? 1 left, 0 on it, -1 right. Exact for every double. */
export const sideOf = (ax: number, ay: number, bx: number, by: number, px: number, py: number): number =>
  -Math.sign(orient2d(ax, ay, bx, by, px, py))

/** How far along the segment from `a` to `b` is the point of its line that is nearest to `p`: 0 at `a`, 1 at `b`. */
export const along = (px: number, py: number, ax: number, ay: number, bx: number, by: number): number => {
  const x = bx - ax
  const y = by - ay
  return ((px - ax) * x + (py - ay) * y) / (x * x + y * y)
}

/** Are two positions nearer than a distance? */
export const touches = (px: number, py: number, qx: number, qy: number, distance: number): boolean =>
  (px - qx) ** 2 + (py - qy) ** 2 < distance * distance

/** Is a position nearer than a distance to the segment from `a` to `b`? */
export const touchesSegment = (
  px: number,
  py: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  distance: number
): boolean => {
  const t = Math.min(1, Math.max(0, along(px, py, ax, ay, bx, by)))
  const x = px - ax - t * (bx - ax)
  const y = py - ay - t * (by - ay)
  return x * x + y * y < distance * distance
}
