import * as Schema from "effect/Schema"
import type { Timestamp } from "./Timestamp.ts"

/** How long a stay may stay open: whole seconds, from a minute to a leap year. */
export const LongestStay = Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 366 * 86_400 })).pipe(
  Schema.brand("LongestStay")
)
export type LongestStay = typeof LongestStay.Type

/**
 * How long accesses are kept: whole seconds, from a day to a hundred years. Days that were meant and seconds that were said
 * are refused, and a phone has a day to send an exit again.
 */
export const Retention = Schema.Int.check(Schema.isBetween({ minimum: 86_400, maximum: 36_525 * 86_400 })).pipe(
  Schema.brand("Retention")
)
export type Retention = typeof Retention.Type

/** What an organization's stays come to with time alone (contract, section 4, rule 8): nothing, unless an operator says so. */
export interface StayPolicy {
  /** An open stay is abandoned when it is older, by the service's own record of the entrance. None: it stays open. */
  readonly longestStay?: LongestStay | undefined
  /** An access is forgotten when its exit lies further back. None: it is kept. */
  readonly retention?: Retention | undefined
}

/** What an operator changes of a policy: the fields that are present; `null` lifts one. */
export interface StayPolicyChange {
  readonly longestStay?: LongestStay | null | undefined
  readonly retention?: Retention | null | undefined
}

/** The policy of whom no operator gave one. */
export const NO_POLICY: StayPolicy = {}

/** The policy as a change leaves it. */
export const changeStayPolicy = (policy: StayPolicy, change: StayPolicyChange): StayPolicy => ({
  longestStay: change.longestStay === undefined ? policy.longestStay : (change.longestStay ?? undefined),
  retention: change.retention === undefined ? policy.retention : (change.retention ?? undefined)
})

const isOlder = (since: Timestamp, seconds: number | undefined, now: Timestamp): boolean =>
  seconds !== undefined && now - since > seconds * 1000

/** Was the stay forgotten by whoever entered? `recorded` is when the service wrote the entrance down, whatever it claims. */
export const isOverdue = ({ longestStay }: StayPolicy, recorded: Timestamp, now: Timestamp): boolean =>
  isOlder(recorded, longestStay, now)

/** Has the access been kept for as long as it is to be? */
export const isPastRetention = ({ retention }: StayPolicy, exit: Timestamp, now: Timestamp): boolean =>
  isOlder(exit, retention, now)

/**
 * May somebody take a turn of sweeping, when the last one was taken then? Clocks of servers differ: a turn that lies ahead
 * counts as one that lies as far back, so that one wrong clock stops nobody for long.
 */
export const isTurnDue = (last: Timestamp | undefined, every: number, now: Timestamp): boolean =>
  last === undefined || Math.abs(now - last) >= every
