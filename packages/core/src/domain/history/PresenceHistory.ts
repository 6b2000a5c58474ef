/** How many people came, left and were inside over time: buckets made from the events of the feed, and the rows read from them. */
import * as Result from "effect/Result"
import { type PresenceChanged, type PendingChange } from "../feed/PresenceEvent.ts"
import type { SmallestCount, StayPolicy } from "../policies/StayPolicy.ts"
import { LARGEST_CLOCK_DIFFERENCE_MS, Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** The steps of a history. They begin at whole minutes, hours and days in UTC. */
export const HISTORY_STEPS = ["minute", "hour", "day"] as const
export type HistoryStep = (typeof HISTORY_STEPS)[number]

/** The most steps that a history may be asked for. */
export const MAX_HISTORY_STEPS = 1_500

/** The length of each step in milliseconds. */
export const HISTORY_STEP_LENGTH: Readonly<Record<HistoryStep, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000
}

/** The beginning of the step that holds a time. */
export const historyStepStart = (step: HistoryStep, at: Timestamp): Timestamp =>
  Timestamp(Math.floor(at / HISTORY_STEP_LENGTH[step]) * HISTORY_STEP_LENGTH[step])

/** A history's steps and their bounds: `from` is the first instant, `to` the first after it. */
export interface HistoryRange {
  readonly step: HistoryStep
  readonly from: Timestamp
  readonly to: Timestamp
}

/** A history of nothing, or of more steps than {@link MAX_HISTORY_STEPS}. */
export class HistoryRangeInvalid extends TaggedError(
  "HistoryRangeInvalid",
  "the history's range is empty or has too many steps"
)<{
  readonly because: "FromIsNotBeforeTo" | "TooManySteps"
}> {}

/** Rounds a range to whole steps: `from` down and `to` up. */
export const historyRange = ({ step, from, to }: HistoryRange): Result.Result<HistoryRange, HistoryRangeInvalid> => {
  if (from >= to) return Result.fail(new HistoryRangeInvalid({ because: "FromIsNotBeforeTo" }))
  const length = HISTORY_STEP_LENGTH[step]
  const rounded = { step, from: historyStepStart(step, from), to: Timestamp(Math.ceil(to / length) * length) }
  return (rounded.to - rounded.from) / length > MAX_HISTORY_STEPS
    ? Result.fail(new HistoryRangeInvalid({ because: "TooManySteps" }))
    : Result.succeed(rounded)
}

/**
 * What a `PresenceChanged` adds to the history: its counts, and the exits among `left` with the length of their stays.
 */
export type HistoryChange = Pick<PresenceChanged, "entered" | "left" | "inside"> &
  Pick<PendingChange, "exits" | "stayed" | "at">

/** The sum of what happened at some premises within a step, or at one instant. */
export interface HistoryBucket extends Omit<HistoryChange, "inside" | "at"> {
  /** The beginning of the step. */
  readonly from: Timestamp
  /** When the last change was recorded. */
  readonly until: Timestamp
  /** How many were inside at the beginning. */
  readonly before: number
  readonly least: number
  readonly most: number
  /** Milliseconds that people were inside from `from` to `until`, in all. */
  readonly insideTime: number
}

/** How many are inside after a bucket. */
const insideAfter = ({ before, entered, left }: HistoryBucket): number => before + entered - left

/** The bucket of one change, at its instant. */
export const bucketOfChange = ({ entered, left, inside, exits, stayed, at }: HistoryChange): HistoryBucket => {
  const before = inside - entered + left
  return {
    from: at,
    until: at,
    entered,
    left,
    exits,
    stayed,
    before,
    least: Math.min(before, inside),
    most: Math.max(before, inside),
    insideTime: 0
  }
}

/** The same bucket from the beginning of its step on. */
const widened = (step: HistoryStep, bucket: HistoryBucket): HistoryBucket => {
  const from = historyStepStart(step, bucket.from)
  return { ...bucket, from, insideTime: bucket.insideTime + bucket.before * (bucket.from - from) }
}

/**
 * Two buckets of one step as one. What is before the later one, it counts from the beginning of the step on, too. Where a clock went
 * back, changes of other steps lie between them: `before` is then what leads to the end of the later one.
 */
const appended = (one: HistoryBucket, later: HistoryBucket): HistoryBucket => ({
  from: one.from,
  until: later.until,
  entered: one.entered + later.entered,
  left: one.left + later.left,
  exits: one.exits + later.exits,
  stayed: one.stayed + later.stayed,
  before: later.before - one.entered + one.left,
  least: Math.min(one.least, later.least),
  most: Math.max(one.most, later.most),
  insideTime: one.insideTime + later.insideTime - later.before * (one.until - one.from)
})

/**
 * The buckets of a step by time, from buckets of the same or smaller steps, in the order in which their changes were recorded. Steps
 * without a change have none. The result is exact, whatever was merged before. Where a clock went back, counts are exact.
 */
export const mergeBuckets = (
  step: HistoryStep,
  buckets: ReadonlyArray<HistoryBucket>
): ReadonlyArray<HistoryBucket> => {
  const merged = new Map<Timestamp, HistoryBucket>()
  for (const bucket of buckets) {
    const next = widened(step, bucket)
    const before = merged.get(next.from)
    merged.set(next.from, before === undefined ? next : appended(before, next))
  }
  return [...merged.values()].sort((one, other) => one.from - other.from)
}

/** The stored history of some premises, as far as a range needs it. */
export interface StoredHistory {
  /** When the feed of the premises began. */
  readonly beganAt: Timestamp
  /** Buckets of this step were forgotten before this time. */
  readonly keptFrom?: Timestamp | undefined
  /** Buckets of the step within the range, and the first one after it, in their order. */
  readonly buckets: ReadonlyArray<HistoryBucket>
  /** The changes that are in no bucket yet, in their order. */
  readonly changes: ReadonlyArray<HistoryChange>
  /** How many are inside after all of them. */
  readonly inside: number
  /** When the earliest change was recorded that no event contains yet. */
  readonly pendingSince?: Timestamp | undefined
  /** How many exits a step needs for a mean stay, where people are anonymous: see `smallestCountOf`. */
  readonly smallestCount?: number | undefined
  /** The steps that begin after this have no anonymous stays. None: the organization is anonymous, or never was. */
  readonly anonymousUntil?: Timestamp | undefined
}

/** One step of a history. Counts and times inside go by when the service recorded a change. */
export interface HistoryRow {
  readonly from: Timestamp
  readonly entered: number
  readonly left: number
  /** The fewest and the most that were inside, at the beginning of the step or after a change within it. */
  readonly least: number
  readonly most: number
  /** The mean number inside, weighted by time, over the part of the step that has been. */
  readonly average: number
  /** Seconds: the mean length of the stays whose exit was recorded in the step, by the stays' own times. */
  readonly averageStay?: number | undefined
}

/** How many exits a step of an anonymous organization needs by default to answer its mean stay. */
export const DEFAULT_SMALLEST_COUNT = 5

/**
 * How many exits a step needs to answer its mean stay where people are anonymous, by the `publishingMode`: that of the policy, or
 * {@link DEFAULT_SMALLEST_COUNT}. Undefined for organizations that never were anonymous, whose mean stays are exact.
 */
export const smallestCountOf = (
  { smallestCount = DEFAULT_SMALLEST_COUNT as SmallestCount }: Pick<StayPolicy, "smallestCount">,
  mode: TrackingMode
): number | undefined => (mode === "anonymous" ? smallestCount : undefined)

/**
 * Whether the exits of a change are in the mean stay of their step, by the tracking mode when they are published. Those of anonymous stays
 * are not once the organization is authenticated, whose mean stays are exact.
 */
export const isInMeanStay = (mode: TrackingMode, { isAnonymous }: Pick<PendingChange, "isAnonymous">): boolean =>
  mode === "anonymous" || !isAnonymous

/** The mean stay of anonymous people is rounded to this, in seconds. */
const STAY_ROUNDING_SECONDS = 60

/**
 * The mean length of a step's stays in seconds. Where people are anonymous it is a whole number of minutes, and undefined for a step with
 * fewer exits than `smallestCount` or that may still change: two answers for one step would differ by the stays in between. A count of 1
 * lifts both.
 */
const averageStayOf = (
  { exits, stayed }: HistoryBucket,
  smallestCount: number | undefined,
  isOver: boolean
): number | undefined => {
  if (exits === 0) return undefined
  const average = stayed / exits / 1000
  if (smallestCount === undefined) return average
  if (exits < smallestCount || !(isOver || smallestCount === 1)) return undefined
  return STAY_ROUNDING_SECONDS * Math.round(average / STAY_ROUNDING_SECONDS)
}

/**
 * The rows of a range: one for each step in which the feed had begun and whose buckets are kept, also where nothing
 * happened, and none for steps to come. Before a feed began, 0 are inside.
 */
export const historyRows = (
  { step, from, to }: HistoryRange,
  { beganAt, keptFrom, buckets, changes, inside, pendingSince, smallestCount, anonymousUntil }: StoredHistory,
  now: Timestamp
): ReadonlyArray<HistoryRow> => {
  const length = HISTORY_STEP_LENGTH[step]
  const all = mergeBuckets(step, [...buckets, ...changes.map(bucketOfChange)]).filter((bucket) => bucket.from >= from)
  // Clocks of servers differ: what was recorded has been, unless a clock was wrong.
  const asOf = Math.max(
    now,
    ...all.map(({ until }) => until).filter((until) => until <= now + LARGEST_CLOCK_DIFFERENCE_MS)
  )
  const byFrom = new Map<number, HistoryBucket>(all.map((bucket) => [bucket.from, bucket]))
  const rows: Array<HistoryRow> = []
  let before = all[0]?.before ?? inside
  for (let at = from; at < to && at <= asOf; at = Timestamp(at + length)) {
    const bucket = byFrom.get(at)
    const after = bucket === undefined ? before : insideAfter(bucket)
    if (at + length > beganAt && at >= (keptFrom ?? at)) {
      const duration = Math.min(length, asOf - at)
      const insideTime = (bucket?.insideTime ?? 0) + after * (at + duration - (bucket?.until ?? at))
      const [least, most] = [bucket?.least ?? before, bucket?.most ?? before]
      rows.push({
        from: at,
        entered: bucket?.entered ?? 0,
        left: bucket?.left ?? 0,
        least,
        most,
        // Where a clock went back, the times within a step are not in order.
        average: duration === 0 ? after : Math.min(most, Math.max(least, insideTime / duration)),
        averageStay:
          bucket &&
          averageStayOf(
            bucket,
            at > (anonymousUntil ?? Infinity) ? undefined : smallestCount,
            at + length <= Math.min(now, pendingSince ?? now)
          )
      })
    }
    before = after
  }
  return rows
}
