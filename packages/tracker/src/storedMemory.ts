/** The state of a device in memory, and what storage has of it. */
import { type GeofenceArea, type GeofenceOptions, makeGeofence } from "@sojourn/core/Geofence"
import type { Changes, Memory } from "./changes.ts"
import { randomName } from "./platform.ts"
import { isPromise, isSame, type Stored, type StoredRecord } from "./StoredRecord.ts"
import { newState, type TrackerState } from "./visits.ts"

/** How long the geofence's fixes may be missing from storage while they decide nothing, in milliseconds. */
const SAVE_INTERVAL_MS = 30_000

/** Of how many other tabs the last change is kept: of those that wrote last. */
const MAX_TABS = 30

const NOTHING: Stored<TrackerState> = { texts: [null, null], revision: 0, value: undefined }

export interface StoredMemoryOptions {
  readonly stored: StoredRecord<TrackerState>
  /** The areas that are known of these organizations. */
  readonly areas: (follows: ReadonlyArray<number>) => ReadonlyArray<GeofenceArea>
  readonly options: GeofenceOptions | undefined
  readonly now: () => number
  /** Is called after the memory may have changed. */
  readonly changed: () => void
}

/** The state to be stored, with the number of this tab's last change. */
const stateOf = ({ state, geofence }: Memory, tab: string, number: number): TrackerState => {
  const { [tab]: _, ...others } = state.changes
  const changes = Object.fromEntries([...Object.entries(others).slice(-MAX_TABS), [tab, number]])
  return { ...state, changes, geofence: geofence?.toJSON() ?? state.geofence }
}

/** Keeps the memory equal to storage and the changes that storage lacks. */
export const makeStoredMemory = ({ stored, areas, options, now, changed }: StoredMemoryOptions, changes: Changes) => {
  /** The name of this tab. */
  const tab = randomName(6)
  let known = NOTHING
  let memory: Memory = { state: newState(randomName(16)), geofence: undefined }
  let savedAt = now()

  const fence = () => {
    const known = areas(memory.state.follows)
    memory.geofence = known.length === 0 ? undefined : makeGeofence(known, options, memory.state.geofence)
  }

  /** Takes over what stands in storage, and makes the changes on it that it lacks. */
  const adopt = (found: Stored<TrackerState>) => {
    known = found
    const { installation } = memory.state
    memory = { state: found.value ?? newState(randomName(16)), geofence: undefined }
    fence()
    const { state } = memory
    // Of another installation nothing was overwritten: this one was forgotten.
    changes.replay(memory, state.installation === installation ? (state.changes[tab] ?? 0) : changes.lastNumber())
    savedAt = now()
    changed()
  }

  const isDue = () =>
    changes.hasUnstored() || (memory.geofence !== undefined && Math.abs(now() - savedAt) > SAVE_INTERVAL_MS)

  return {
    current: () => memory,
    /** Builds the geofence anew, when areas were not known before. */
    fence,
    isDue,
    load: async () => {
      const found = stored.read()
      adopt(isPromise(found) ? await found : found)
    },
    /** Makes the changes again on what storage had last. */
    reset: () => adopt({ ...known }),
    /** Compares with storage, and stores what is not. Between reading and writing of synchronous storage nothing else runs. */
    store: async () => {
      const reading = stored.read()
      const found = isPromise(reading) ? await reading : reading
      if (!isSame(found, known)) adopt(found)
      if (!isDue()) return
      const storing = changes.beginStoring()
      try {
        const writing = stored.write(stateOf(memory, tab, changes.lastNumber()), known)
        known = isPromise(writing) ? await writing : writing
      } catch (error) {
        storing.failed()
        throw error
      }
      savedAt = now()
      storing.succeeded()
    },
    /** Removes the state from storage and memory. */
    remove: async () => {
      await stored.remove()
      changes.clear()
      adopt(NOTHING)
    }
  }
}
