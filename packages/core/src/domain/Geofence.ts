import type {
  Geofence,
  GeofenceArea,
  GeofenceFix,
  GeofenceOptions,
  GeofencePremises,
  GeofenceState,
  GeofenceTransition
} from "./geofence/types.ts"
import type { Polygons } from "./geometry/Position.ts"
import { squareMetres } from "./geometry/Area.ts"
import { describeFault } from "./geometry/Fault.ts"
import { readArea } from "./geometry/readArea.ts"
import { isFault } from "./geometry/Shape.ts"

export type {
  Geofence,
  GeofenceArea,
  GeofenceCircle,
  GeofenceFix,
  GeofenceOptions,
  GeofencePremises,
  GeofenceState,
  GeofenceStay,
  GeofenceTransition
} from "./geofence/types.ts"

interface Area {
  readonly premises: GeofencePremises
  readonly polygons: Polygons
  readonly squareMetres: number
}

const keyOf = ({ organizationId, placeId }: GeofencePremises): string =>
  placeId === undefined ? `organization ${organizationId}` : `place ${placeId}`

const read = (area: GeofenceArea): Area => {
  const { organizationId, placeId, trackingArea } = area
  const premises = placeId === undefined ? { organizationId: organizationId! } : { placeId }
  const polygons = readArea(trackingArea)
  if (isFault(polygons)) throw new TypeError(`The area of ${keyOf(premises)}: ${describeFault(polygons)}`)
  return { premises, polygons, squareMetres: squareMetres(polygons) }
}

const contains = (polygons: Polygons, x: number, y: number): boolean => {
  let inside = false
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!]
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside
    }
  }
  return inside
}

interface Saved extends GeofenceState {
  readonly sequence: number
  readonly ignored: number
  readonly inside: ReadonlyArray<readonly [key: string, since: number]>
}

/**
 * Makes a geofence of these areas. `saved` is what `toJSON` of an earlier one answered.
 *
 * @throws TypeError if the text of an area is no tracking area; the message names its premises and the fault.
 */
export const makeGeofence = (
  given: ReadonlyArray<GeofenceArea>,
  options: GeofenceOptions = {},
  saved?: GeofenceState
): Geofence => {
  const outerFirst = (areas: ReadonlyArray<GeofenceArea>) =>
    areas.map(read).sort((a, b) => b.squareMetres - a.squareMetres)
  let areas = outerFirst(given)
  const before = saved as Saved | undefined
  let sequence = before?.sequence ?? 0
  let ignored = before?.ignored ?? 0
  const since = new Map<string, number>(before?.inside)
  let last: GeofenceFix | undefined
  let now = -Infinity

  const leave = (left: ReadonlyArray<Area>, timestamp: number) =>
    [...left].reverse().map(({ premises }): GeofenceTransition => {
      since.delete(keyOf(premises))
      return { movement: "exit", ...premises, timestamp, sequence: ++sequence }
    })
  const enter = (entered: ReadonlyArray<Area>, timestamp: number) =>
    entered.map(({ premises }): GeofenceTransition => {
      since.set(keyOf(premises), timestamp)
      return { movement: "entrance", ...premises, timestamp, sequence: ++sequence }
    })
  const isInside = ({ premises }: Area) => since.has(keyOf(premises))

  return {
    push: (fix) => {
      const { latitude, longitude, accuracy } = fix.coords
      if (!(accuracy <= 100)) {
        ignored++
        return []
      }
      last = fix
      now = Math.max(now, fix.timestamp)
      const holds = (area: Area) => contains(area.polygons, longitude, latitude)
      return [
        ...leave(
          areas.filter((area) => isInside(area) && !holds(area)),
          fix.timestamp
        ),
        ...enter(
          areas.filter((area) => !isInside(area) && holds(area)),
          fix.timestamp
        )
      ]
    },
    tick: (time) => {
      now = Math.max(now, time)
      return []
    },
    inside: () => areas.filter(isInside).map(({ premises }) => ({ ...premises, since: since.get(keyOf(premises))! })),
    nextCheck: () => last && { latitude: last.coords.latitude, longitude: last.coords.longitude, radius: 0 },
    stale: () => last !== undefined && now - last.timestamp > (options.staleAfter ?? 600_000),
    ignored: () => ignored,
    update: (renewed) => {
      const next = outerFirst(renewed)
      const kept = new Set(next.map(({ premises }) => keyOf(premises)))
      const gone = areas.filter((area) => isInside(area) && !kept.has(keyOf(area.premises)))
      areas = next
      return leave(gone, now)
    },
    toJSON: (): Saved => ({ version: 1, sequence, ignored, inside: [...since] })
  }
}
