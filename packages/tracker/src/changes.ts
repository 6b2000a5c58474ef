/** The changes of this tab that storage may lack: they are made again on what another tab has stored. */
import type { Geofence, GeofenceFix } from "@sojourn/core/Geofence"
import { type Decided, record, type TrackerState } from "./visits.ts"

/** The state of this device in memory, and the geofence that belongs to it, once areas are known. */
export interface Memory {
  readonly state: TrackerState
  geofence: Geofence | undefined
}

/** Changes the memory, and returns whether it changed. It runs again on what another tab stored. */
export type Change = (memory: Memory, nextSequence: () => number) => boolean

/** A change that was made in memory. */
export interface Submitted {
  readonly number: number
  readonly change: Change
  /** Whether it is stored although it changed nothing: on what another tab has stored it may. */
  readonly isForced: boolean
  /** The sequences that it got, kept from the moment when they may have been sent. */
  sequences: ReadonlyArray<number>
}

/** How many stored changes are kept, should another tab overwrite them. */
const MAX_STORED = 20

/** How many positions are kept that decided nothing and are not stored, should another tab store meanwhile. */
const MAX_QUIET = 100

/** Adds what a geofence decided. */
export const recordAll =
  (decide: (geofence: Geofence) => ReadonlyArray<Decided>): Change =>
  (memory, nextSequence) => {
    if (memory.geofence === undefined) return false
    // Each is recorded: `some` would stop at the first.
    let isChanged = false
    for (const decided of decide(memory.geofence)) {
      if (record(memory.state, decided, nextSequence)) isChanged = true
    }
    return isChanged
  }

/**
 * Adds the transitions that the geofence decides by a position. When the change runs again on the state that another tab stored, it leaves
 * out a position that the other tab has seen: many old positions would look as if the clock was set back.
 */
export const positionPushed = (position: GeofenceFix): Change => {
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

/** Makes a change in memory with the sequences that it got before. Returns whether it was one. */
export const apply = (memory: Memory, submitted: Submitted): boolean => {
  const { state } = memory
  let used = 0
  const nextSequence = () => {
    const sequence = submitted.sequences[used++] ?? state.sequence + 1
    state.sequence = Math.max(state.sequence, sequence)
    submitted.sequences = [...submitted.sequences.slice(0, used - 1), sequence, ...submitted.sequences.slice(used)]
    return sequence
  }
  return submitted.change(memory, nextSequence)
}

export const makeChanges = () => {
  let numbers = 0
  let unstored: ReadonlyArray<Submitted> = []
  let stored: ReadonlyArray<Submitted> = []
  let quiet: ReadonlyArray<Submitted> = []

  /** Keeps what changed nothing but the geofence, which is stored now and then. */
  const addQuiet = (submitted: Submitted) => {
    quiet = [...quiet, submitted].slice(-MAX_QUIET)
  }

  return {
    numbered: (change: Change, { isForced } = { isForced: false }): Submitted => ({
      number: ++numbers,
      change,
      isForced,
      sequences: []
    }),
    lastNumber: () => numbers,
    hasUnstored: () => unstored.length > 0,
    add: (submitted: Submitted) => {
      unstored = [...unstored, submitted]
    },
    addQuiet,
    /** Drops a change that is not stored. Returns whether it was there. */
    withdraw: (submitted: Submitted): boolean => {
      const isThere = unstored.includes(submitted)
      unstored = unstored.filter((one) => one !== submitted)
      return isThere
    },
    /** Makes the changes again on a memory from storage, which lacks those after the last number that is `seen` in it. */
    replay: (memory: Memory, seen: number) => {
      const lost = stored.filter(({ number }) => number > seen)
      stored = stored.filter(({ number }) => number <= seen)
      for (const submitted of unstored) submitted.sequences = []
      const again = [...lost, ...unstored, ...quiet].sort((one, other) => one.number - other.number)
      const replayed = new Set(quiet)
      quiet = []
      unstored = again.filter((submitted) => {
        const isChange = apply(memory, submitted)
        if (!isChange && replayed.has(submitted)) addQuiet(submitted)
        return isChange || submitted.isForced
      })
    },
    /** Begins to store the changes. Returns what is called when that failed or succeeded. */
    beginStoring: () => {
      const [written, saved] = [unstored, quiet]
      unstored = []
      return {
        failed: () => {
          unstored = [...written, ...unstored]
        },
        succeeded: () => {
          quiet = quiet.filter((submitted) => !saved.includes(submitted))
          stored = [...stored, ...written].slice(-MAX_STORED)
        }
      }
    },
    clear: () => {
      unstored = []
      stored = []
      quiet = []
    }
  }
}

export type Changes = ReturnType<typeof makeChanges>
