/** The journal of a device: changes are made in memory at once, stored soon, and made again when another tab overwrote them. */
import type { GeofenceFix } from "@sojourn/core/Geofence"
import { apply, type Change, makeChanges, positionPushed, type Submitted } from "./changes.ts"
import { type Platform, within } from "./platform.ts"
import { makeStoredMemory, type StoredMemoryOptions } from "./storedMemory.ts"

/** How long a write may take until it counts as failed, in milliseconds. */
const STORAGE_TIMEOUT_MS = 5_000

/** How often a change is tried to be stored. */
const MAX_ATTEMPTS = 3

interface JournalOptions extends StoredMemoryOptions {
  readonly name: string
  readonly platform: Platform
}

/** Runs work in turn, and as the only tab where the platform has locks. It rejects when the work takes too long. */
const makeExclusive = (platform: Platform, name: string) => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const bounded = () => within(platform, STORAGE_TIMEOUT_MS, "the storage does not answer", work())
    const result = last.then(() => platform.exclusively(name, bounded))
    last = result.catch(() => {})
    return result
  }
}

/**
 * Keeps the state in memory and in storage. A change is made in memory at once, and stored as soon as can be: on what stands in
 * storage at that moment, which another tab may have written. No two tabs store at once where the platform has locks; where it
 * has none, a change that another tab has overwritten is made again.
 */
export const makeJournal = async ({ name, platform, ...options }: JournalOptions) => {
  const changes = makeChanges()
  const memory = makeStoredMemory(options, changes)
  const exclusively = makeExclusive(platform, name)
  let queued: Promise<void> | undefined

  /** Stores everything up to now. Rejects when it cannot. */
  const sync = (): Promise<void> => {
    queued ??= exclusively(() => {
      queued = undefined
      return memory.store()
    })
    return queued
  }

  const syncWithRetries = (attempts = MAX_ATTEMPTS): Promise<void> =>
    sync().catch((error: unknown) => {
      if (attempts <= 1) throw error
      return syncWithRetries(attempts - 1)
    })

  /** Makes a change, and returns whether it is to be stored. */
  const make = (submitted: Submitted): boolean => {
    if (!apply(memory.current(), submitted) && !submitted.isForced) return false
    changes.add(submitted)
    options.changed()
    return true
  }

  const storeIfDue = () => (memory.isDue() ? syncWithRetries() : Promise.resolve())

  await memory.load()

  return {
    memory: memory.current,
    /** Makes a change, and stores it as soon as can be. Resolves at once when nothing changed. */
    submit: (change: Change): Promise<void> => {
      make(changes.numbered(change))
      return storeIfDue()
    },
    /** Makes a change only if it can be stored. */
    submitOrWithdraw: async (change: Change): Promise<void> => {
      const submitted = changes.numbered(change, { isForced: true })
      make(submitted)
      try {
        await syncWithRetries()
      } catch (error) {
        if (changes.withdraw(submitted)) memory.reset()
        throw error
      }
    },
    /** Takes a position. Positions that decide nothing are stored now and then. */
    push: (position: GeofenceFix): Promise<void> => {
      const submitted = changes.numbered(positionPushed(position))
      if (!make(submitted)) changes.addQuiet(submitted)
      return storeIfDue()
    },
    sync,
    isStored: () => !changes.hasUnstored(),
    exclusively,
    fence: memory.fence,
    /** Removes the state from storage and memory. */
    remove: () => exclusively(memory.remove)
  }
}

export type Journal = Awaited<ReturnType<typeof makeJournal>>
