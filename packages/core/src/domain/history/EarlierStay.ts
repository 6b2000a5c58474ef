/** Stays from before the first movement of an organization, and the history that they add up to. */
import * as Result from "effect/Result"
import { NotLinked } from "../accounts/AccountLink.ts"
import { NO_CHANGE, type PendingChange } from "../feed/PresenceEvent.ts"
import { type Premises, samePremises } from "../shared/Premises.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"
import { ExitBeforeEntrance, TimestampInFuture } from "../stays/Stay.ts"
import {
  bucketOfChange,
  bucketStart,
  type BucketStep,
  type HistoryBucket,
  type HistoryChange,
  mergeBuckets
} from "./PresenceHistory.ts"

/** An anonymous stay that another system counted, before the service recorded a movement of the organization. */
export interface EarlierStay {
  readonly premises: Premises
  readonly entrance: Timestamp
  /** None: the stay is open. */
  readonly exit?: Timestamp | undefined
}

/** What the earlier stays at some premises add up to. */
export interface EarlierPresence {
  readonly premises: Premises
  /** The sum of all changes. */
  readonly sum: PendingChange
  readonly buckets: Readonly<Record<BucketStep, ReadonlyArray<HistoryBucket>>>
}

/** Refuses stays that end before they begin, or that are after `now`. */
export const checkEarlierStays = (
  stays: ReadonlyArray<EarlierStay>,
  now: Timestamp
): Result.Result<void, ExitBeforeEntrance | TimestampInFuture> => {
  for (const { entrance, exit = entrance } of stays) {
    if (exit < entrance) return Result.fail(new ExitBeforeEntrance({ entrance }))
    if (exit > now) return Result.fail(new TimestampInFuture({ timestamp: exit, now }))
  }
  return Result.void
}

/** May an organization have earlier stays? They name no person, so its people have to be anonymous. */
export const admitEarlierStays = (mode: TrackingMode): Result.Result<void, NotLinked> =>
  mode === "anonymous" ? Result.void : Result.fail(new NotLinked())

/** The changes of stays at one premises in the order of time, as the feed publishes them: movements of one instant are one change. */
const earlierChanges = (stays: ReadonlyArray<Omit<EarlierStay, "premises">>): ReadonlyArray<HistoryChange> => {
  const byInstant = new Map<Timestamp, PendingChange>()
  const add = (at: Timestamp, { entered = 0, exits = 0, stayed = 0 }: Partial<PendingChange>) => {
    const before = byInstant.get(at) ?? { ...NO_CHANGE, at }
    byInstant.set(at, {
      ...NO_CHANGE,
      entered: before.entered + entered,
      left: before.left + exits,
      exits: before.exits + exits,
      stayed: before.stayed + stayed,
      at
    })
  }
  for (const { entrance, exit } of stays) {
    add(entrance, { entered: 1 })
    if (exit !== undefined) add(exit, { exits: 1, stayed: exit - entrance })
  }
  let inside = 0
  return [...byInstant.values()]
    .sort((one, other) => one.at - other.at)
    .map((change) => ({ ...change, inside: (inside += change.entered - change.left) }))
}

const presenceOf = (premises: Premises, stays: ReadonlyArray<EarlierStay>, now: Timestamp): EarlierPresence => {
  const changes = earlierChanges(stays)
  const minute = mergeBuckets(bucketStart("minute"), changes.map(bucketOfChange))
  const quarter = mergeBuckets(bucketStart("quarter"), minute)
  const closed = stays.flatMap(({ entrance, exit }) => (exit === undefined ? [] : exit - entrance))
  return {
    premises,
    sum: {
      ...NO_CHANGE,
      entered: stays.length,
      left: closed.length,
      exits: closed.length,
      stayed: closed.reduce((sum, length) => sum + length, 0),
      at: now
    },
    buckets: { minute, quarter, day: mergeBuckets(bucketStart("day"), quarter) }
  }
}

/** What earlier stays add up to as of `now`, for each of their premises. */
export const earlierPresence = (stays: ReadonlyArray<EarlierStay>, now: Timestamp): ReadonlyArray<EarlierPresence> => {
  const byPremises: Array<{ readonly premises: Premises; readonly stays: Array<EarlierStay> }> = []
  for (const stay of stays) {
    const known = byPremises.find(({ premises }) => samePremises(premises, stay.premises))
    if (known === undefined) byPremises.push({ premises: stay.premises, stays: [stay] })
    else known.stays.push(stay)
  }
  return byPremises.map(({ premises, stays }) => presenceOf(premises, stays, now))
}
