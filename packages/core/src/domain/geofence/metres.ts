/** Distances in metres, in a local projection around a position: good to 0.1 % within 5 km. */

const RADIANS = Math.PI / 180
const EQUATORIAL_RADIUS = 6378137
const SQUARED_ECCENTRICITY = 0.0066943799901413165

/** Longitudes differ by at most half a turn, whatever side of the antimeridian they are on. */
export const wrapped = (degrees: number): number =>
  degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees

/** Metres of a degree of latitude at a latitude. */
export const metresNorth = (latitude: number): number => {
  const sine = Math.sin(latitude * RADIANS)
  const w = 1 - SQUARED_ECCENTRICITY * sine * sine
  return (RADIANS * EQUATORIAL_RADIUS * (1 - SQUARED_ECCENTRICITY)) / (w * Math.sqrt(w))
}

/** Metres of a degree of longitude at a latitude. */
export const metresEast = (latitude: number): number => {
  const sine = Math.sin(latitude * RADIANS)
  return (
    (RADIANS * EQUATORIAL_RADIUS * Math.cos(latitude * RADIANS)) / Math.sqrt(1 - SQUARED_ECCENTRICITY * sine * sine)
  )
}

/** How the metres of a degree of longitude change with a degree of latitude, halved: for the middle of a way. */
export const halfSlope = (latitude: number): number =>
  (-RADIANS * RADIANS * EQUATORIAL_RADIUS * Math.sin(latitude * RADIANS)) / 2

/** The distance between two positions near each other. */
export const metresBetween = (latitude: number, longitude: number, otherLatitude: number, otherLongitude: number) => {
  const middle = (latitude + otherLatitude) / 2
  const north = (otherLatitude - latitude) * metresNorth(middle)
  const east = wrapped(otherLongitude - longitude) * metresEast(middle)
  return Math.sqrt(north * north + east * east)
}
