/** Presence tracking on the device: positions in, entrances and exits out. Positions never leave it. */
export { createTracker } from "./createTracker.ts"
export {
  type RefusedMovement,
  type Tracker,
  type TrackerAccess,
  type TrackerConfig,
  TrackerError,
  type TrackerRequest,
  type TrackerResponse,
  type TrackerStatus,
  type TrackerStorage
} from "./types.ts"
export * from "@sojourn/core/Geofence"
