/** What time alone does to the stays of an organization: it abandons them, forgets them, and coarsens what is published of them. */
import * as Schema from "effect/Schema"
import type { Timestamp } from "../shared/Timestamp.ts"
import { branded } from "../shared/branded.ts"
import { type ChangeOf, changedFields } from "../shared/changedField.ts"

/** How long a stay may stay open: whole seconds, from a minute to a leap year. */
export const LongestStay = Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 366 * 86_400 })).pipe(
  branded("LongestStay")
)
export type LongestStay = typeof LongestStay.Type

/**
 * How long accesses are kept: whole seconds, from a day to a hundred years. The minimum refuses days that are given as
 * seconds, and leaves a phone a day to send an exit again.
 */
export const Retention = Schema.Int.check(Schema.isBetween({ minimum: 86_400, maximum: 36_525 * 86_400 })).pipe(
  branded("Retention")
)
export type Retention = typeof Retention.Type

/** How close together the events of premises come at most: whole seconds, up to a minute. */
export const EventGrain = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })).pipe(branded("EventGrain"))
export type EventGrain = typeof EventGrain.Type

/**
 * How many exits a step of an anonymous organization's history needs to answer its average stay; 1 also includes the running step.
 */
export const SmallestCount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).pipe(
  branded("SmallestCount")
)
export type SmallestCount = typeof SmallestCount.Type

/** After how many seconds without a request a device is silent, up to a day. */
export const SilentAfter = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 })).pipe(
  branded("SilentAfter")
)
export type SilentAfter = typeof SilentAfter.Type

/** When an organization's stays are abandoned and its accesses forgotten (spec: policies#change). By default, never. */
export interface StayPolicy {
  /** An open stay is abandoned when older than this, by the service's record of the entrance. None: it stays open. */
  readonly longestStay?: LongestStay | undefined
  /** An access is forgotten when its exit is longer ago than this. None: it is kept. */
  readonly retention?: Retention | undefined
  /** None: the default of the tracking mode, see `eventIntervalOf`. */
  readonly eventGrain?: EventGrain | undefined
  /** None: `DEFAULT_SMALLEST_COUNT`, see `smallestCountOf`. */
  readonly smallestCount?: SmallestCount | undefined
  /** The local time at which the people counted become none each day. None: they do not. */
  readonly countedResetAt?: string | undefined
  /** The local time at which all open stays are abandoned each day. None: they are not. */
  readonly staysEndAt?: string | undefined
  /** None: `DEFAULT_TIME_ZONE`. */
  readonly timeZone?: string | undefined
  /** Whether an entrance into a place ends the person's stays in other places of an authenticated organization. None: it does not. */
  readonly exclusivePlaces?: boolean | undefined
  /** None: `DEFAULT_SILENT_AFTER_SECONDS`. */
  readonly deviceSilentAfter?: SilentAfter | undefined
}

/** A partial update of a policy: only the fields present change; `null` removes one. */
export type StayPolicyChange = ChangeOf<StayPolicy>

/** The policy of an organization without one. */
export const NO_POLICY: StayPolicy = {}

/** Applies a change to a policy. */
export const changeStayPolicy = (policy: StayPolicy, change: StayPolicyChange): StayPolicy => {
  const present = Object.entries(changedFields(policy, change)).filter(([, value]) => value !== undefined)
  return { longestStay: undefined, retention: undefined, ...Object.fromEntries(present) }
}

const isOlder = (since: Timestamp, now: Timestamp, { seconds }: { readonly seconds: number | undefined }): boolean =>
  seconds !== undefined && now - since > seconds * 1000

/**
 * Whether an open stay is older than the policy allows. `recorded` is when the service stored the entrance, not its claimed time.
 */
export const isOverdue = ({ longestStay }: StayPolicy, recorded: Timestamp, now: Timestamp): boolean =>
  isOlder(recorded, now, { seconds: longestStay })

/** Whether an access is older than the policy's retention, counted from its exit. */
export const isPastRetention = ({ retention }: StayPolicy, exit: Timestamp, now: Timestamp): boolean =>
  isOlder(exit, now, { seconds: retention })

/**
 * Whether a new sweep lease may be taken, given when the last one was taken. `every` is in milliseconds. Server clocks differ:
 * a lease taken in the future counts as one taken as long ago, so a wrong clock cannot block sweeps for long.
 */
export const isLeaseDue = ({
  last,
  every,
  now
}: {
  readonly last: Timestamp | undefined
  readonly every: number
  readonly now: Timestamp
}): boolean => last === undefined || Math.abs(now - last) >= every
