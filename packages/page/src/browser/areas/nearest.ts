/** Which area an arrow key leads to on a map. */
import type { Point } from "../shared/area.ts"

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
