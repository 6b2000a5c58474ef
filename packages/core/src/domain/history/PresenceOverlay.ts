/** Adds stays of the past to the history of premises, whose buckets were made before (spec: history#imported-stays). */
import { Timestamp } from "../shared/Timestamp.ts"
import {
  BUCKET_LENGTH_MS,
  BUCKET_STEPS,
  type HistoryBucket,
  type BucketStep,
  bucketStart,
  insideAfter,
  mergeBuckets
} from "./PresenceHistory.ts"

/** The buckets of each step, in their order. */
export type BucketsByStep = Readonly<Record<BucketStep, ReadonlyArray<HistoryBucket>>>

/** A stay of the past. */
export interface PastStay {
  readonly entrance: Timestamp
  readonly exit: Timestamp
}

/** The number of instants or buckets after which a long computation pauses. */
const PORTION = 2_000

/** Groups buckets by the longer step that holds them. */
const merged = function* (
  step: BucketStep,
  buckets: ReadonlyArray<HistoryBucket>
): Generator<void, Array<HistoryBucket>> {
  const all: Array<HistoryBucket> = []
  let group: Array<HistoryBucket> = []
  for (const [n, bucket] of buckets.entries()) {
    const next = buckets[n + 1]
    group.push(bucket)
    if (next !== undefined && bucketStart(step)(next.from) === bucketStart(step)(bucket.from)) continue
    all.push(...mergeBuckets(bucketStart(step), group))
    group = []
    if (all.length % PORTION === 0) yield
  }
  return all
}

/** The bucket of a step in which nothing changes. */
const unchanged = (from: Timestamp, inside: number): HistoryBucket => ({
  from,
  until: from,
  entered: 0,
  left: 0,
  exits: 0,
  stayed: 0,
  before: inside,
  least: inside,
  most: inside,
  insideTime: 0
})

/** The times of stays in order, but not after `now`. */
const sortedTimes = (stays: ReadonlyArray<PastStay>, timeOf: (stay: PastStay) => Timestamp, now: Timestamp) =>
  Float64Array.from(stays, (stay) => Math.min(timeOf(stay), now)).sort()

/** The minutes in which stays began or ended: movements of one instant are one change. */
const minutesOf = function* (stays: ReadonlyArray<PastStay>, now: Timestamp): Generator<void, Array<HistoryBucket>> {
  const stayed = new Map<Timestamp, number>()
  for (const [n, { entrance, exit }] of stays.entries()) {
    if (n % PORTION === PORTION - 1) yield
    const minute = bucketStart("minute")(Timestamp(Math.min(exit, now)))
    stayed.set(minute, (stayed.get(minute) ?? 0) + exit - entrance)
  }
  yield
  const entrances = sortedTimes(stays, ({ entrance }) => entrance, now)
  yield
  const exits = sortedTimes(stays, ({ exit }) => exit, now)
  const minutes: Array<HistoryBucket> = []
  let minute: { -readonly [Part in keyof HistoryBucket]: HistoryBucket[Part] } | undefined
  let inside = 0
  for (let [came, gone] = [0, 0]; gone < exits.length;) {
    const at = Timestamp(Math.min(entrances[came] ?? Infinity, exits[gone]!))
    const from = bucketStart("minute")(at)
    if (minute?.from !== from) {
      minute = { ...unchanged(from, inside), stayed: stayed.get(from) ?? 0 }
      minutes.push(minute)
      if (minutes.length % PORTION === 0) yield
    }
    minute.insideTime += inside * (at - minute.until)
    minute.until = at
    for (; entrances[came] === at; came++) minute.entered++
    for (; exits[gone] === at; gone++) minute.exits++
    minute.left = minute.exits
    inside = insideAfter(minute)
    minute.least = Math.min(minute.least, inside)
    minute.most = Math.max(minute.most, inside)
  }
  return minutes
}

/**
 * What stays at some premises add up to, as if their movements had been recorded at their times, but not after `now`. It pauses between portions
 * of its work.
 */
export const bucketsOfStays = function* (
  stays: ReadonlyArray<PastStay>,
  now: Timestamp
): Generator<void, BucketsByStep> {
  const minute = yield* minutesOf(stays, now)
  const quarter = yield* merged("quarter", minute)
  return { minute, quarter, day: yield* merged("day", quarter) }
}

/** The time that people were inside of a step until `until`, in all. */
const insideTimeUntil = (bucket: HistoryBucket, until: Timestamp): number =>
  bucket.insideTime + insideAfter(bucket) * (until - bucket.until)

/** Two buckets of one step, of different people. `least` and `most` are bounds where the numbers of both vary. */
const summed = (one: HistoryBucket, other: HistoryBucket): HistoryBucket => {
  const until = Timestamp(Math.max(one.until, other.until))
  return {
    from: one.from,
    until,
    entered: one.entered + other.entered,
    left: one.left + other.left,
    exits: one.exits + other.exits,
    stayed: one.stayed + other.stayed,
    before: one.before + other.before,
    least: one.least + other.least,
    most: one.most + other.most,
    insideTime: insideTimeUntil(one, until) + insideTimeUntil(other, until)
  }
}

/** The buckets that are stored of a part of a history, and those that are added to it. */
export interface Overlay {
  readonly stored: BucketsByStep
  /** How many were inside at the beginning of the part, by the stored buckets of days, as these are kept. */
  readonly storedInside: number
  readonly added: BucketsByStep
  /** How many of those that are added were inside at the beginning of the part. */
  readonly addedInside: number
}

const sumOf = (buckets: ReadonlyArray<HistoryBucket>, of: (bucket: HistoryBucket) => number): number =>
  buckets.reduce((sum, bucket) => sum + of(bucket), 0)

/** The step whose buckets show the extremes of those of a longer one. */
const SHORTER = { minute: undefined, quarter: "minute", day: "quarter" } as const

/**
 * The bucket with the extremes that the buckets of the shorter step within it have. They show them only where they hold all the changes that
 * the longer one has: minutes are forgotten.
 */
const refined = (bucket: HistoryBucket, within: ReadonlyArray<HistoryBucket>): HistoryBucket =>
  sumOf(within, ({ entered }) => entered) === bucket.entered && sumOf(within, ({ left }) => left) === bucket.left
    ? {
        ...bucket,
        least: Math.min(bucket.before, ...within.map(({ least }) => least)),
        most: Math.max(bucket.before, ...within.map(({ most }) => most))
      }
    : bucket

/** How many are inside at the beginning of a step, which is never before the one asked for last. */
type InsideAt = (from: Timestamp) => number

/** The step that shows how many are inside at the beginning of some shorter ones, whose own buckets may be forgotten. */
const LONGER = { minute: "quarter", quarter: "day", day: undefined } as const

/** How many are inside by the stored buckets of a step: after the one before, or else as those of the longer step say. */
const makeInsideAt = (
  buckets: ReadonlyArray<HistoryBucket>,
  longer: BucketStep | undefined,
  ofLonger: InsideAt
): InsideAt => {
  const longerAt = (from: Timestamp) => (longer === undefined ? undefined : bucketStart(longer)(from))
  let current: Timestamp | undefined
  let inside: number | undefined
  let n = 0
  return (from) => {
    const start = longerAt(from)
    if (inside === undefined || start !== current) inside = ofLonger(start ?? from)
    current = start
    for (; n < buckets.length && buckets[n]!.from < from; n++) {
      if (longerAt(buckets[n]!.from) === start) inside = insideAfter(buckets[n]!)
    }
    return buckets[n]?.from === from ? buckets[n]!.before : inside
  }
}

const insideAtStepsOf = ({ stored, storedInside }: Overlay) => {
  const of = (step: BucketStep): InsideAt => {
    const longer = LONGER[step]
    return makeInsideAt(stored[step], longer, longer === undefined ? () => storedInside : of(longer))
  }
  return of
}

/** The buckets of one step of a part of a history after the addition: all of them, and those that are new or differ. */
const overlaidStep = (
  step: BucketStep,
  { stored, added, addedInside }: Overlay,
  insideAt: InsideAt,
  shorter: ReadonlyArray<HistoryBucket> | undefined
) => {
  const storedAt = new Map(stored[step].map((bucket) => [bucket.from, bucket]))
  const addedAt = new Map(added[step].map((bucket) => [bucket.from, bucket]))
  const starts = [...new Set([...storedAt.keys(), ...addedAt.keys()])].sort((one, other) => one - other)
  const within = shorter && Map.groupBy(shorter, ({ from }) => bucketStart(step)(from))
  const all: Array<HistoryBucket> = []
  const changed: Array<HistoryBucket> = []
  let inside = addedInside
  for (const from of starts) {
    const before = insideAt(from)
    const one = storedAt.get(from) ?? unchanged(from, before)
    const other = addedAt.get(from) ?? unchanged(from, inside)
    inside = insideAfter(other)
    if (!addedAt.has(from) && other.before === 0) {
      all.push(one)
      continue
    }
    const sum = summed(one, other)
    const bucket = within === undefined ? sum : refined(sum, within.get(from) ?? [])
    all.push(bucket)
    changed.push(bucket)
  }
  return { all, changed }
}

/**
 * The buckets of a part of a history that are new or differ after the addition. The part consists of whole days. `entered`, `left`, the
 * times and `before` are exact. So are `least` and `most`, except in a minute in which both the stored and the added numbers vary, and in a
 * quarter or a day of such minutes: there they are bounds.
 */
export const overlay = (part: Overlay): BucketsByStep => {
  const changed: Record<BucketStep, ReadonlyArray<HistoryBucket>> = { minute: [], quarter: [], day: [] }
  const all: Partial<Record<BucketStep, ReadonlyArray<HistoryBucket>>> = {}
  const insideAtSteps = insideAtStepsOf(part)
  for (const step of BUCKET_STEPS) {
    const shorter = SHORTER[step]
    const found = overlaidStep(step, part, insideAtSteps(step), shorter && all[shorter])
    all[step] = found.all
    changed[step] = found.changed
  }
  return changed
}

/** How long minutes are kept after an import whatever their age, in milliseconds: the extremes after further imports of one file are computed from them. */
export const IMPORT_PAUSE_MS = BUCKET_LENGTH_MS.day

/** The length of the part of a history that is added to at once: so many whole days that its buckets are few thousands. */
const PART = 3 * BUCKET_LENGTH_MS.day

/** A part of a history from `from` to before `to`, with the buckets that are added to it. */
export interface HistoryPart {
  readonly from: Timestamp
  readonly to: Timestamp
  readonly added: BucketsByStep
  readonly addedInside: number
}

/** The part that holds a time. */
export const historyPartAt = (at: Timestamp): { readonly from: Timestamp; readonly to: Timestamp } => {
  const from = Timestamp(Math.floor(at / PART) * PART)
  return { from, to: Timestamp(from + PART) }
}

/**
 * The parts of the history that buckets are added to, by time. Of parts in which the number of those inside stays as it is, `next` says where
 * the next stored bucket is; none: nothing is stored from there on.
 */
export const historyParts = (added: BucketsByStep) => {
  const position: Record<BucketStep, number> = { minute: 0, quarter: 0, day: 0 }
  let inside = 0
  const take = (step: BucketStep, to: Timestamp) => {
    const from = position[step]
    while ((added[step][position[step]]?.from ?? Infinity) < to) position[step]++
    return added[step].slice(from, position[step])
  }
  let at: Timestamp | undefined = added.day[0]?.from
  return {
    /** The next part; none at the end. */
    next: (): HistoryPart | undefined => {
      if (at === undefined) return undefined
      const { from, to } = historyPartAt(at)
      const part = {
        from,
        to,
        addedInside: inside,
        added: { minute: take("minute", to), quarter: take("quarter", to), day: take("day", to) }
      }
      const last = part.added.day.at(-1)
      if (last !== undefined) inside = insideAfter(last)
      at = inside === 0 ? added.day[position.day]?.from : to
      return part
    },
    /** Passes by what has neither a stored bucket, of which the first is at `stored`, nor one that is added. */
    skipTo: (stored: Timestamp | undefined) => {
      if (at === undefined) return
      const next = Math.min(stored ?? Infinity, added.day[position.day]?.from ?? Infinity)
      at = next === Infinity ? undefined : Timestamp(Math.max(at, next))
    }
  }
}
