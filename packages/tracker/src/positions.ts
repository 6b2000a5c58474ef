/** Positions on their way into the journal: the last ones are kept while no areas are known. */
import type { Geofence, GeofenceFix } from "@sojourn/core/Geofence"
import type { Journal } from "./Journal.ts"
import { TrackerError } from "./types.ts"

/** How many positions are kept while no areas are known. */
const MAX_EARLY_FIXES = 20

/** Positions that are older are in seconds, or of a clock that began with the device: then began the clock of GPS. */
const FIRST_FIX = Date.UTC(1980, 0, 6)

/** A position that is dated farther from the device's clock counts from another time, or in other units. */
const MAX_CLOCK_ERROR_MS = 30 * 86_400_000

/** After this long without a position that counts the status says why. */
const SILENCE_MS = 300_000

interface PositionsOptions {
  readonly journal: Journal
  readonly now: () => number
  readonly report: (error: unknown) => void
  readonly changed: () => void
  /** Is called with the storing of a position. */
  readonly afterwards: (storing: Promise<void>) => void
}

type Ignored = ReturnType<Geofence["ignoredFor"]>

/** A position by itself: those of browsers have getters, which may throw. */
const plain = (position: GeofenceFix): GeofenceFix => {
  const { coords, timestamp, level, moving } = position
  const { latitude, longitude, accuracy, speed } = coords
  return { coords: { latitude, longitude, accuracy, speed }, timestamp, level, moving }
}

/** Counts the positions that were ignored since the last one that counted. */
const makeIgnored = ({ now, report }: Pick<PositionsOptions, "now" | "report">) => {
  let counts: Record<string, number> = {}
  let since: number | undefined
  let isReported = false
  return (fault: keyof Ignored | undefined) => {
    if (fault === undefined) {
      if (isReported) report(undefined)
      ;[counts, since, isReported] = [{}, undefined, false]
      return
    }
    counts[fault] = (counts[fault] ?? 0) + 1
    since ??= now()
    if (now() - since < SILENCE_MS) return
    const reasons = Object.entries(counts).map(([reason, count]) => `${reason} (${count})`)
    isReported = true
    report(new TrackerError(`No position could be used for 5 minutes, because of: ${reasons.join(", ")}.`))
  }
}

export const makePositions = ({ journal, now, report, changed, afterwards }: PositionsOptions) => {
  let early: ReadonlyArray<GeofenceFix> = []
  const note = makeIgnored({ now, report })

  /** The reason why the geofence ignored a position, or `undefined`. */
  const take = (fix: GeofenceFix): keyof Ignored | undefined => {
    if (fix.timestamp < FIRST_FIX && now() > FIRST_FIX) {
      report(new TrackerError("The timestamp of a position is in milliseconds since 1970."))
    }
    if (!(Math.abs(fix.timestamp - now()) <= MAX_CLOCK_ERROR_MS)) return "timestamp"
    const before = journal.memory().geofence?.ignoredFor()
    if (before === undefined) {
      early = [...early, fix].slice(-MAX_EARLY_FIXES)
      return undefined
    }
    afterwards(journal.push(fix))
    const after = Object.entries(journal.memory().geofence?.ignoredFor() ?? {}) as ReadonlyArray<
      [keyof Ignored, number]
    >
    return after.find(([reason, count]) => count > before[reason])?.[0]
  }

  /** Takes a position. */
  const push = (position: GeofenceFix) => {
    let fix: GeofenceFix | undefined
    try {
      fix = plain(position)
    } catch {
      // It has no coordinates, or a getter throws.
    }
    try {
      note(fix === undefined ? "coordinates" : take(fix))
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
