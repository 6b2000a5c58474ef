/** Edges of areas: their lengths, the nearest point of them, and on which side of them a position is. */
import type { Polygons, Position } from "../shared/area.ts"

export type Edge = readonly [from: Position, to: Position]
export type Side = "inside" | "outside" | "border"

/** The metres of a degree of longitude and of latitude, on the ellipsoid WGS84. */
export const metresPerDegree = (latitude: number): readonly [longitude: number, latitude: number] => {
  const of = (times: number) => Math.cos(((latitude * Math.PI) / 180) * times)
  return [111_412.84 * of(1) - 93.5 * of(3) + 0.118 * of(5), 111_132.954 - 559.822 * of(2) + 1.175 * of(4)]
}

/** The length of an edge in metres, as exact as a plan needs it: to about 0.1 % up to some kilometres. */
export const metresOf = ([[x1, y1], [x2, y2]]: Edge): number => {
  const [perLongitude, perLatitude] = metresPerDegree((y1 + y2) / 2)
  return Math.hypot((x2 - x1) * perLongitude, (y2 - y1) * perLatitude)
}

/** The edges of rings, whether they end where they begin or not. */
export const edgesOf = (polygons: Polygons): ReadonlyArray<Edge> =>
  polygons
    .flat()
    .flatMap((ring) => ring.map((to, nth): Edge => [ring.at(nth - 1)!, to]))
    .filter(([from, to]) => from[0] !== to[0] || from[1] !== to[1])

/** Where along an edge, from 0 to 1, the point is that is nearest to a position, and how far that is. */
export const nearestOn = ([[x1, y1], [x2, y2]]: Edge, [x, y]: Position): readonly [t: number, distance: number] => {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const t = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1)
  return [t, Math.hypot(x1 + t * dx - x, y1 + t * dy - y)]
}

/** Where a position is that counts as on the border within `touching` degrees of an edge. */
export const sideOf = (edges: ReadonlyArray<Edge>, position: Position, touching: number): Side => {
  const [x, y] = position
  let isInside = false
  for (const edge of edges) {
    const [[x1, y1], [x2, y2]] = edge
    if (nearestOn(edge, position)[1] <= touching) return "border"
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
  }
  return isInside ? "inside" : "outside"
}
