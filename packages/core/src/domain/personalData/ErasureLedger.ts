/** Explains to an organization why its totals became smaller after erasures, without a word about whom they erased. */
import type { OrganizationId } from "../shared/Ids.ts"
import { wholeSeconds } from "../stays/Report.ts"
import { dayStart, type Timestamp } from "../shared/Timestamp.ts"

/** What erasing one person took from the stays of their organization. */
export interface Removal {
  readonly accesses: number
  readonly openStays: number
  /** Milliseconds of the accesses in each place: what each place's report lost. */
  readonly inPlaces: ReadonlyArray<number>
}

/**
 * What erasures took from an organization's stays on one day, all people together: enough to say why totals are lower than
 * they were, and no more. Who, when on that day, in which place and since when, is not in it.
 */
export interface ErasureEntry {
  readonly organizationId: OrganizationId
  /** The day in UTC, as `2026-03-01`. */
  readonly day: string
  /** Of how many people something was removed. */
  readonly people: number
  readonly accesses: number
  readonly openStays: number
  /** What the reports of the organization's places lost together, in whole seconds. */
  readonly totalTime: number
}

/** The day of an instant in UTC. */
export const dayOf = (timestamp: Timestamp): string => new Date(dayStart(timestamp)).toISOString().slice(0, 10)

/** What a removal adds to its day: the sums. */
export const erasureEntry = (organizationId: OrganizationId, now: Timestamp, removal: Removal): ErasureEntry => ({
  organizationId,
  day: dayOf(now),
  people: 1,
  accesses: removal.accesses,
  openStays: removal.openStays,
  // Reports drop what is left of each person's seconds in each place.
  totalTime: removal.inPlaces.reduce((sum, milliseconds) => sum + wholeSeconds(milliseconds), 0)
})

/** Two entries of one day as one. */
export const addEntries = (one: ErasureEntry, other: ErasureEntry): ErasureEntry => ({
  ...one,
  people: one.people + other.people,
  accesses: one.accesses + other.accesses,
  openStays: one.openStays + other.openStays,
  totalTime: one.totalTime + other.totalTime
})

/** Did a removal take anything that a total holds? Only then is it entered. */
export const lowersTotals = ({ accesses, openStays }: Removal): boolean => accesses > 0 || openStays > 0
