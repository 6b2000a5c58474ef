/** Where tracks are drawn: a plane in metres around an origin, and its degrees. */

/** Metres east and north of the origin. */
export type Point = readonly [x: number, y: number]

/** A place on the earth that a plane touches, in degrees. */
export interface Origin {
  readonly latitude: number
  readonly longitude: number
}

const RADIANS = Math.PI / 180
const EQUATORIAL_RADIUS = 6378137
const SQUARED_ECCENTRICITY = 0.00669437999014

/** The latitude and the longitude of a point, in degrees. Good to a millimetre within 500 m. */
export const degreesOf = ({ latitude, longitude }: Origin, [x, y]: Point): Origin => {
  const w = 1 - SQUARED_ECCENTRICITY * Math.sin(latitude * RADIANS) ** 2
  const meridian = (EQUATORIAL_RADIUS * (1 - SQUARED_ECCENTRICITY)) / w ** 1.5
  const parallel = (EQUATORIAL_RADIUS / Math.sqrt(w)) * Math.cos(latitude * RADIANS)
  const east = longitude + x / (parallel * RADIANS)
  return {
    latitude: latitude + y / (meridian * RADIANS),
    longitude: east > 180 ? east - 360 : east < -180 ? east + 360 : east
  }
}

/** The distance in metres from a point to the border of a ring of corners; below 0 for a point inside. */
export const distanceTo = (corners: ReadonlyArray<Point>, [x, y]: Point): number => {
  let nearest = Infinity
  let inside = false
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [[ax, ay], [bx, by]] = [corners[j]!, corners[i]!]
    const [dx, dy] = [bx - ax, by - ay]
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    nearest = Math.min(nearest, Math.hypot(x - ax - along * dx, y - ay - along * dy))
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * dx) inside = !inside
  }
  return inside ? -nearest : nearest
}

/** A regular polygon around the origin, as wide as this between opposite sides. */
export const regularPolygon = (corners: number, width: number, turned: number): ReadonlyArray<Point> =>
  Array.from({ length: corners }, (_, i) => {
    const angle = turned + (2 * Math.PI * i) / corners
    const radius = width / 2 / Math.cos(Math.PI / corners)
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })

/** The text of the tracking area with these corners. */
export const areaText = (origin: Origin, corners: ReadonlyArray<Point>): string => {
  const ring = [...corners, corners[0]!].map((corner) => {
    const { latitude, longitude } = degreesOf(origin, corner)
    return [longitude, latitude]
  })
  return JSON.stringify({ type: "Polygon", coordinates: [ring] })
}
