/** Lengths in metres, near one latitude. */
import type { Position } from "../shared/area.ts"

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The metres of a degree of longitude and of latitude, on the ellipsoid WGS84. */
export const metresPerDegree = (latitude: number): readonly [longitude: number, latitude: number] => {
  const of = (times: number) => Math.cos(radians(latitude) * times)
  return [111_412.84 * of(1) - 93.5 * of(3) + 0.118 * of(5), 111_132.954 - 559.822 * of(2) + 1.175 * of(4)]
}

/** The length of an edge, as exact as a plan needs it: to about 0.1 % up to some kilometres. */
export const metresBetween = ([x1, y1]: Position, [x2, y2]: Position): number => {
  const [perLongitude, perLatitude] = metresPerDegree((y1 + y2) / 2)
  return Math.hypot((x2 - x1) * perLongitude, (y2 - y1) * perLatitude)
}
