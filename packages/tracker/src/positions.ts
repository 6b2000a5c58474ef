/** Positions on their way into the journal: the last ones are kept while no areas are known. */
import type { GeofenceFix } from "@sojourn/core/Geofence"
import type { Journal } from "./Journal.ts"
import { TrackerError } from "./types.ts"

/** How many positions are kept while no areas are known. */
const MAX_EARLY_FIXES = 20

/** Positions that are older are in seconds, or of a clock that began with the device: then began the clock of GPS. */
const FIRST_FIX = Date.UTC(1980, 0, 6)

interface PositionsOptions {
  readonly journal: Journal
  readonly now: () => number
  readonly report: (error: unknown) => void
  readonly changed: () => void
  /** Is called with the storing of a position. */
  readonly afterwards: (storing: Promise<void>) => void
}

export const makePositions = ({ journal, now, report, changed, afterwards }: PositionsOptions) => {
  let early: ReadonlyArray<GeofenceFix> = []

  /** Takes a position. */
  const push = (position: GeofenceFix) => {
    try {
      if (position?.timestamp < FIRST_FIX && now() > FIRST_FIX) {
        throw new TrackerError("The timestamp of a position is in milliseconds since 1970.")
      }
      if (journal.memory().geofence === undefined) early = [...early, position].slice(-MAX_EARLY_FIXES)
      else afterwards(journal.push(position))
      changed()
    } catch (error) {
      report(error)
    }
  }

  return {
    push,
    /** Takes the early positions, once areas are known. */
    pushEarly: () => {
      if (journal.memory().geofence === undefined) return
      const fixes = early
      early = []
      for (const fix of fixes) push(fix)
    },
    clear: () => {
      early = []
    }
  }
}
