/** Areas and fixes in metres around an origin, for the tests of the geofence. */
import { areaText, degreesOf, type Origin, type Point } from "@sojourn/testing"
import { type Geofence, type GeofenceFix, type GeofenceTransition } from "../../../src/index.ts"

export const HERE: Origin = { latitude: 45.41, longitude: 11.87 }

export const T0 = Date.UTC(2026, 4, 4, 8)

/** A square around a point, so many metres wide. */
export const square = (width: number, [x, y]: Point = [0, 0], origin = HERE): string => {
  const half = width / 2
  return areaText(origin, [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half]
  ])
}

/** A fix so many seconds after the begin, in metres from the origin. */
export const fixAt = (seconds: number, at: Point, accuracy = 8, origin = HERE): GeofenceFix => ({
  coords: { ...degreesOf(origin, at), accuracy },
  timestamp: T0 + seconds * 1000
})

/** Pushes a fix at each of these points, 10 seconds apart, and answers all transitions. */
export const walk = (
  geofence: Geofence,
  points: ReadonlyArray<Point>,
  { from = 0, accuracy = 8, origin = HERE } = {}
): ReadonlyArray<GeofenceTransition> =>
  points.flatMap((at, i) => geofence.push(fixAt(from + 10 * i, at, accuracy, origin)))

/** Points east of the origin, in metres. */
export const along = (...xs: ReadonlyArray<number>): ReadonlyArray<Point> => xs.map((x) => [x, 0])

/** The same point so often. */
export const stay = (at: Point, times: number): ReadonlyArray<Point> => Array.from({ length: times }, () => at)

/** What happened, without times: "+1" for an entrance into organization 1, "-p7" for an exit from place 7. */
export const moves = (transitions: ReadonlyArray<GeofenceTransition>): ReadonlyArray<string> =>
  transitions.map(
    ({ movement, organizationId, placeId }) =>
      `${movement === "entrance" ? "+" : "-"}${placeId === undefined ? organizationId : `p${placeId}`}`
  )
