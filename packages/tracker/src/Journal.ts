/** The state of a device in memory and storage: changes are made at once, stored soon, and made again when another tab overwrote them. */
import {
  type Geofence,
  type GeofenceArea,
  type GeofenceFix,
  type GeofenceOptions,
  makeGeofence
} from "@sojourn/core/geofence"
import { type Platform, randomName, within } from "./platform.ts"
import { isPromise, isSame, type Stored, type StoredRecord } from "./StoredRecord.ts"
import { type Decided, newState, record, type TrackerState } from "./visits.ts"

/** The state of this device in memory, and the geofence that belongs to it, once areas are known. */
export interface Memory {
  readonly state: TrackerState
  geofence: Geofence | undefined
}

/** Changes the memory, and answers whether it changed. It runs again on what another tab stored. */
export type Change = (memory: Memory, nextSequence: () => number) => boolean

interface Submitted {
  readonly number: number
  readonly change: Change
  /** Whether it is stored although it changed nothing: on what another tab has stored it may. */
  readonly isForced: boolean
  /** The sequences that it was given, kept from the moment when they may have been sent. */
  given: ReadonlyArray<number>
}

/** How long the geofence's fixes may be missing from storage while they decide nothing. */
const SAVE_EVERY = 30_000

/** How long a write may take until it counts as failed. */
const PATIENCE = 5_000

/** How many stored changes are kept, should another tab overwrite them. */
const KEPT = 20

/** Of how many other tabs the last change is kept: of those that wrote last. */
const TABS = 30

/** How many positions are kept that decided nothing and are not stored, should another tab store meanwhile. */
const QUIET = 100

const ATTEMPTS = 3

/** Adds what a geofence decided. */
export const recordAll =
  (decide: (geofence: Geofence) => ReadonlyArray<Decided>): Change =>
  (memory, nextSequence) => {
    if (memory.geofence === undefined) return false
    // Each is recorded: `some` would stop at the first.
    return decide(memory.geofence).filter((decided) => record(memory.state, decided, nextSequence)).length > 0
  }

/**
 * Adds what the geofence decides by a position. Where that is done again, on what another tab stored, a position that the other tab
 * has seen is left out: many old positions would look as if the clock was set back.
 */
const positionPushed = (position: GeofenceFix): Change => {
  let isAgain = false
  const decide = recordAll((geofence) => geofence.push(position))
  return (memory, nextSequence) => {
    const timestamp = (position as GeofenceFix | undefined | null)?.timestamp
    if (typeof timestamp !== "number" || (isAgain && timestamp <= memory.state.positionAt)) return false
    isAgain = true
    memory.state.positionAt = timestamp
    return decide(memory, nextSequence)
  }
}

export interface JournalOptions {
  readonly name: string
  readonly stored: StoredRecord<TrackerState>
  /** The areas that are known of these organizations. */
  readonly areas: (follows: ReadonlyArray<number>) => ReadonlyArray<GeofenceArea>
  readonly options: GeofenceOptions | undefined
  readonly now: () => number
  readonly platform: Platform
  /** Is called after the memory may have changed. */
  readonly changed: () => void
}

/**
 * Keeps the state in memory and in storage. A change is made in memory at once, and stored as soon as can be: on what stands in
 * storage at that moment, which another tab may have written. No two tabs store at once where the platform has locks; where it
 * has none, a change that another tab has overwritten is made again.
 */
export const makeJournal = async (journal: JournalOptions) => {
  const { name, stored, areas, options, now, platform, changed } = journal
  /** The name of this tab. */
  const tab = randomName(6)
  let known: Stored<TrackerState> = { texts: [null, null], revision: 0, value: undefined }
  let memory: Memory = { state: newState(randomName(16)), geofence: undefined }
  let unstored: ReadonlyArray<Submitted> = []
  let kept: ReadonlyArray<Submitted> = []
  let quiet: ReadonlyArray<Submitted> = []
  let numbers = 0
  let savedAt = now()
  let last: Promise<unknown> = Promise.resolve()
  let queued: Promise<void> | undefined

  const fence = () => {
    const known = areas(memory.state.follows)
    memory.geofence = known.length === 0 ? undefined : makeGeofence(known, options, memory.state.geofence)
  }

  const run = (submitted: Submitted): boolean => {
    const { state } = memory
    let used = 0
    const nextSequence = () => {
      const sequence = submitted.given[used++] ?? state.sequence + 1
      state.sequence = Math.max(state.sequence, sequence)
      submitted.given = [...submitted.given.slice(0, used - 1), sequence, ...submitted.given.slice(used)]
      return sequence
    }
    return submitted.change(memory, nextSequence)
  }

  /** Keeps what changed nothing but the geofence, which is stored now and then. */
  const keepQuiet = (submitted: Submitted) => {
    quiet = [...quiet, submitted].slice(-QUIET)
  }

  /** Takes over what stands in storage, and makes the changes on it that it lacks. */
  const adopt = (found: Stored<TrackerState>) => {
    known = found
    const { installation } = memory.state
    memory = { state: found.value ?? newState(randomName(16)), geofence: undefined }
    fence()
    // Of another installation nothing was overwritten: this one was forgotten.
    const seen = memory.state.installation === installation ? (memory.state.changes[tab] ?? 0) : numbers
    const lost = kept.filter(({ number }) => number > seen)
    kept = kept.filter(({ number }) => number <= seen)
    for (const submitted of unstored) submitted.given = []
    const again = [...lost, ...unstored, ...quiet].sort((one, other) => one.number - other.number)
    const replayed = new Set(quiet)
    quiet = []
    unstored = again.filter((submitted) => {
      const isChange = run(submitted)
      if (!isChange && replayed.has(submitted)) keepQuiet(submitted)
      return isChange || submitted.isForced
    })
    savedAt = now()
    changed()
  }

  const textOf = (): TrackerState => {
    const { state, geofence } = memory
    const { [tab]: _, ...others } = state.changes
    const changes = Object.fromEntries([...Object.entries(others).slice(-TABS), [tab, numbers]])
    return { ...state, changes, geofence: geofence?.toJSON() ?? state.geofence }
  }

  const isDue = () => {
    if (unstored.length > 0) return true
    return memory.geofence !== undefined && Math.abs(now() - savedAt) > SAVE_EVERY
  }

  /** Compares with storage, and stores what is not. Between reading and writing of synchronous storage nothing else runs. */
  const store = async () => {
    const reading = stored.read()
    const found = isPromise(reading) ? await reading : reading
    if (!isSame(found, known)) adopt(found)
    if (!isDue()) return
    const [written, saved] = [unstored, quiet]
    unstored = []
    try {
      const writing = stored.write(textOf(), known)
      known = isPromise(writing) ? await writing : writing
    } catch (error) {
      unstored = [...written, ...unstored]
      throw error
    }
    savedAt = now()
    quiet = quiet.filter((submitted) => !saved.includes(submitted))
    kept = [...kept, ...written].slice(-KEPT)
  }

  /** Does the work after all work before, as the only tab. */
  const exclusively = <A>(work: () => Promise<A>): Promise<A> => {
    const bounded = () => within(platform, PATIENCE, "the storage does not answer", work())
    const result = last.then(() => platform.exclusively(name, bounded))
    last = result.catch(() => {})
    return result
  }

  /** Stores everything up to now. Rejects when it cannot. */
  const sync = (): Promise<void> => {
    queued ??= exclusively(() => {
      queued = undefined
      return store()
    })
    return queued
  }

  const insist = async (attempts: number): Promise<void> => {
    try {
      await sync()
    } catch (error) {
      if (attempts <= 1) throw error
      await insist(attempts - 1)
    }
  }

  /** Makes a change, and answers whether it was one. */
  const submit = (submitted: Submitted): boolean => {
    if (!run(submitted) && !submitted.isForced) return false
    unstored = [...unstored, submitted]
    changed()
    return true
  }

  const numbered = (change: Change, isForced = false): Submitted => ({ number: ++numbers, change, isForced, given: [] })

  const found = stored.read()
  adopt(isPromise(found) ? await found : found)

  return {
    memory: () => memory,
    /** Makes a change, and stores it as soon as can be. Resolves at once when nothing changed. */
    submit: (change: Change): Promise<void> => {
      submit(numbered(change))
      return unstored.length > 0 || isDue() ? insist(ATTEMPTS) : Promise.resolve()
    },
    /** Makes a change only if it can be stored. */
    submitOrWithdraw: async (change: Change): Promise<void> => {
      const submitted = numbered(change, true)
      submit(submitted)
      try {
        await insist(ATTEMPTS)
      } catch (error) {
        if (unstored.includes(submitted)) {
          unstored = unstored.filter((one) => one !== submitted)
          adopt({ ...known })
        }
        throw error
      }
    },
    /** Takes a position. What decides nothing is stored now and then. */
    push: (position: GeofenceFix): Promise<void> => {
      const submitted = numbered(positionPushed(position))
      if (!submit(submitted)) keepQuiet(submitted)
      return unstored.length > 0 || isDue() ? insist(ATTEMPTS) : Promise.resolve()
    },
    sync,
    isStored: () => unstored.length === 0,
    exclusively,
    /** Builds the geofence anew, when areas were not known before. */
    fence,
    /** Removes the state from storage and memory. */
    remove: () =>
      exclusively(async () => {
        await stored.remove()
        unstored = []
        kept = []
        quiet = []
        adopt({ texts: [null, null], revision: 0, value: undefined })
      })
  }
}

export type Journal = Awaited<ReturnType<typeof makeJournal>>
