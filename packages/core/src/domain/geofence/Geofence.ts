/** The entry to geofencing. It runs on devices, so this file and all that it imports do without Effect. */
import { Machine } from "./Machine.ts"
import { DEFAULTS } from "./settings.ts"
import type { Geofence, GeofenceArea, GeofenceOptions, GeofenceState } from "./types.ts"

export { placeAreas } from "./placeAreas.ts"
export { DEFAULTS as GEOFENCE_DEFAULTS, type GeofenceSettings } from "./settings.ts"
export type {
  Geofence,
  GeofenceArea,
  GeofenceCircle,
  GeofenceFix,
  GeofenceOptions,
  GeofencePlace,
  GeofencePremises,
  GeofenceState,
  GeofenceStay,
  GeofenceTransition
} from "./types.ts"

/**
 * Makes a geofence of these areas: it decides from the fixes of a device when it enters and leaves them. `saved` is what
 * `toJSON` of an earlier one answered; a value that is no saved state counts as none.
 *
 * @throws TypeError if the text of an area is no tracking area; the message names its premises and the fault.
 */
export const makeGeofence = (
  areas: ReadonlyArray<GeofenceArea>,
  options: GeofenceOptions = {},
  saved?: GeofenceState
): Geofence => {
  const machine = new Machine(areas, { ...DEFAULTS, ...options }, saved)
  return {
    push: (fix) => machine.push(fix),
    tick: (now) => machine.tick(now),
    inside: () => machine.inside(),
    nextCheck: () => machine.nextCheck(),
    stale: () => machine.stale(),
    ignored: () => machine.ignored(),
    ignoredFor: () => machine.ignoredFor(),
    update: (renewed) => machine.update(renewed),
    toJSON: () => machine.toJSON()
  }
}
