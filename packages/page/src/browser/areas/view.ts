/** Views of a map in a window, as pure functions: what is shown, how pointers, wheels and keys change it, and where arrow keys lead. */
import { boundsOf, type Point, type Position, type Projection } from "../shared/area.ts"

/** Positions are drawn to about a centimetre. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

/** A part of a map in a window: how much larger than in the whole drawing, and around which position. */
export interface View {
  readonly zoom: number
  readonly center: Position
}

/** The bounds of the zoom of a drawing. */
export const [MIN_ZOOM, MAX_ZOOM] = [0.25, 4096]

export const clamp = (n: number, least: number, most: number): number => Math.min(Math.max(n, least), most)

/** The pixels of a degree of longitude and of latitude in a view. */
const perDegree = (base: Projection, zoom: number): Point => {
  const [[x0, y0], [x1, y1]] = [base([0, 0]), base([1, 1])]
  return [(x1 - x0) * zoom, (y1 - y0) * zoom]
}

/** How a window of this size shows a view, and which position a point of it stands for. `base` is linear in both directions. */
export const viewIn = (base: Projection, [width, height]: Point, { zoom, center }: View) => {
  const [perLongitude, perLatitude] = perDegree(base, zoom)
  const [left, top] = [width / 2 - center[0] * perLongitude, height / 2 - center[1] * perLatitude]
  return {
    project: ([longitude, latitude]: Position): Point => [
      left + longitude * perLongitude,
      top + latitude * perLatitude
    ],
    unproject: ([x, y]: Point): Position => [
      roundDegrees((x - left) / perLongitude),
      roundDegrees((y - top) / perLatitude)
    ]
  }
}

/** The view that shows some positions in the middle of a window, in half of its width or height at most. */
export const viewOf = (positions: ReadonlyArray<Position>, base: Projection, [width, height]: Point): View => {
  const [west, south, east, north] = boundsOf(positions)
  const [left, top, right, bottom] = boundsOf(positions.map(base))
  const zoom = Math.min(width / 2 / Math.max(right - left, 1e-9), height / 2 / Math.max(bottom - top, 1e-9))
  return { zoom: clamp(zoom, MIN_ZOOM, MAX_ZOOM), center: [(west + east) / 2, (south + north) / 2] }
}

/** The view after the map was moved by some pixels. It is not rounded: small movements add up. */
export const panned = (base: Projection, { zoom, center }: View, [dx, dy]: Point): View => {
  const [perLongitude, perLatitude] = perDegree(base, zoom)
  return { zoom, center: [center[0] - dx / perLongitude, center[1] - dy / perLatitude] }
}

/** The view with another zoom, in which what is at a point of the window stays there. */
export const zoomedAt = (
  base: Projection,
  [width, height]: Point,
  view: View,
  zoom: number,
  [x, y]: Point = [width / 2, height / 2]
): View => {
  const by: Point = [x - width / 2, y - height / 2]
  return panned(base, { ...panned(base, view, [-by[0], -by[1]]), zoom }, by)
}

/** The directions of the arrow keys. */
export const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

/** How much farther a point seems that lies beside the direction. */
const ASIDE = 2

/** The index of the point that is nearest in a direction, within 60 degrees of it; none where there is no such point. */
export const nearestTo = (points: ReadonlyArray<Point>, [x, y]: Point, [dx, dy]: Point): number | undefined => {
  let nearest: number | undefined
  let least = Infinity
  for (const [nth, point] of points.entries()) {
    const along = (point[0] - x) * dx + (point[1] - y) * dy
    const aside = Math.abs((point[0] - x) * dy) + Math.abs((point[1] - y) * dx)
    const distance = along + ASIDE * aside
    if (along > 0 && aside <= along * Math.sqrt(3) && distance < least) [nearest, least] = [nth, distance]
  }
  return nearest
}
