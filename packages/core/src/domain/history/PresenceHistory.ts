/** How many people came, left and were inside over time: buckets made from the events of the feed, and the rows read from them. */
import * as Result from "effect/Result"
import { type PresenceChanged, type PendingChange } from "../feed/PresenceEvent.ts"
import type { SmallestCount, StayPolicy } from "../policies/StayPolicy.ts"
import { DEFAULT_TIME_ZONE, localStarts } from "../shared/LocalTime.ts"
import { LARGEST_CLOCK_DIFFERENCE_MS, Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** The steps of a history: whole minutes, hours and days of a time zone. */
export const HISTORY_STEPS = ["minute", "hour", "day"] as const
export type HistoryStep = (typeof HISTORY_STEPS)[number]

/** The most steps that a history may be asked for. */
export const MAX_HISTORY_STEPS = 1_500

/** The steps of the buckets that are stored. They begin at multiples of their lengths in UTC. All time zones have whole quarters of an hour. */
export const BUCKET_STEPS = ["minute", "quarter", "day"] as const
export type BucketStep = (typeof BUCKET_STEPS)[number]

/** The length of each step in milliseconds. */
export const BUCKET_LENGTH_MS: Readonly<Record<BucketStep, number>> = {
  minute: 60_000,
  quarter: 900_000,
  day: 86_400_000
}

/** Finds the beginning of the step that holds a time. */
export type StartOf = (at: Timestamp) => Timestamp

const startWithin =
  (length: number): StartOf =>
  (at) =>
    Timestamp(Math.floor(at / length) * length)

/** The beginning of a stored bucket of a step. */
export const bucketStart = (step: BucketStep): StartOf => startWithin(BUCKET_LENGTH_MS[step])

/** What a history is asked for: `from` is the first instant, `to` the first after it. */
export interface HistoryQuery {
  readonly step: HistoryStep
  readonly from: Timestamp
  readonly to: Timestamp
  /** The name of a time zone. None: UTC. */
  readonly timeZone?: string | undefined
}

/** The steps of a history, and the stored buckets that add up to them. */
export interface HistoryRange {
  readonly bucketStep: BucketStep
  /** The beginnings of the steps, at least one, in their order. */
  readonly starts: ReadonlyArray<Timestamp>
  /** The first instant after the last step. */
  readonly to: Timestamp
}

/** A history of nothing, or of more steps than {@link MAX_HISTORY_STEPS}. */
export class HistoryRangeInvalid extends TaggedError(
  "HistoryRangeInvalid",
  "the history's range is empty or has too many steps"
)<{
  readonly because: "FromIsNotBeforeTo" | "TooManySteps"
}> {}

const LENGTH_MS: Readonly<Record<HistoryStep, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** When the steps of UTC begin that hold a range, and when the one after them does: at most `most` and one more. */
const startsInUtc = (step: HistoryStep, from: Timestamp, to: Timestamp, most: number): ReadonlyArray<Timestamp> => {
  const length = LENGTH_MS[step]
  const first = startWithin(length)(from)
  const count = Math.min(most, Math.ceil((to - first) / length))
  return Array.from({ length: count + 1 }, (_, n) => Timestamp(first + n * length))
}

/** Rounds a range to whole steps of its time zone: `from` down and `to` up (spec: history#steps). */
export const historyRange = ({
  step,
  from,
  to,
  timeZone = DEFAULT_TIME_ZONE
}: HistoryQuery): Result.Result<HistoryRange, HistoryRangeInvalid> => {
  if (from >= to) return Result.fail(new HistoryRangeInvalid({ because: "FromIsNotBeforeTo" }))
  const most = MAX_HISTORY_STEPS + 1
  const isUtc = timeZone === DEFAULT_TIME_ZONE
  const all =
    step === "minute" || isUtc
      ? startsInUtc(step, from, to, most)
      : localStarts(step, timeZone, { from, to, most: MAX_HISTORY_STEPS })
  const [starts, end] = [all.slice(0, -1), all.at(-1)!]
  if (starts.length > MAX_HISTORY_STEPS) return Result.fail(new HistoryRangeInvalid({ because: "TooManySteps" }))
  return Result.succeed({
    bucketStep: step === "hour" || (step === "day" && !isUtc) ? "quarter" : step,
    starts,
    to: end
  })
}

/** Finds the step of a range that holds a time; a time outside of the range is a step of its own. */
const startIn =
  ({ starts, to }: HistoryRange): StartOf =>
  (at) => {
    if (at < starts[0]! || at >= to) return at
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return starts[low]!
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
export const insideAfter = ({ before, entered, left }: HistoryBucket): number => before + entered - left

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
const widened = (startOf: StartOf, bucket: HistoryBucket): HistoryBucket => {
  const from = startOf(bucket.from)
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
export const mergeBuckets = (startOf: StartOf, buckets: ReadonlyArray<HistoryBucket>): ReadonlyArray<HistoryBucket> => {
  const merged = new Map<Timestamp, HistoryBucket>()
  for (const bucket of buckets) {
    const next = widened(startOf, bucket)
    const before = merged.get(next.from)
    merged.set(next.from, before === undefined ? next : appended(before, next))
  }
  return [...merged.values()].sort((one, other) => one.from - other.from)
}

/** The stored history of some premises, as far as a range needs it. */
export interface StoredHistory {
  /** When the feed of the premises began. */
  readonly beganAt: Timestamp
  /** Buckets of the range's `bucketStep` were forgotten before this time. */
  readonly keptFrom?: Timestamp | undefined
  /** Buckets within the range, merged to any parts of its steps, and the first one after it, in their order. */
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
  range: HistoryRange,
  { beganAt, keptFrom, buckets, changes, inside, pendingSince, smallestCount, anonymousUntil }: StoredHistory,
  now: Timestamp
): ReadonlyArray<HistoryRow> => {
  const { starts, to } = range
  const all = mergeBuckets(startIn(range), [...buckets, ...changes.map(bucketOfChange)]).filter(
    (bucket) => bucket.from >= starts[0]!
  )
  // Clocks of servers differ: what was recorded has been, unless a clock was wrong.
  const asOf = Math.max(
    now,
    ...all.map(({ until }) => until).filter((until) => until <= now + LARGEST_CLOCK_DIFFERENCE_MS)
  )
  const byFrom = new Map<number, HistoryBucket>(all.map((bucket) => [bucket.from, bucket]))
  const rows: Array<HistoryRow> = []
  let before = all[0]?.before ?? inside
  for (const [n, at] of starts.entries()) {
    if (at > asOf) break
    const end = starts[n + 1] ?? to
    const bucket = byFrom.get(at)
    const after = bucket === undefined ? before : insideAfter(bucket)
    if (end > beganAt && at >= (keptFrom ?? at)) {
      const duration = Math.min(end, asOf) - at
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
            end <= Math.min(now, pendingSince ?? now)
          )
      })
    }
    before = after
  }
  return rows
}
