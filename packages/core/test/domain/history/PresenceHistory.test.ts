/** The presence history: ranges, buckets that merge in any order, and rows compared with single changes. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  bucketOfChange,
  BUCKET_STEPS,
  bucketStart,
  HISTORY_STEPS,
  type HistoryChange,
  historyRange,
  type HistoryQuery,
  type HistoryRange,
  type HistoryRow,
  historyRows,
  isInMeanStay,
  mergeBuckets,
  MAX_HISTORY_STEPS,
  SmallestCount,
  smallestCountOf,
  type StartOf,
  Timestamp
} from "../../../src/index.ts"
import { after, anyOf, integer, maybe, NOW, oneOf, timestamp } from "@sojourn/testing"
import { trials, verdict } from "../../trials.ts"

const step = anyOf(HISTORY_STEPS)

/** What happens to some premises: so many come, so many of those inside leave, so long after what happened before. */
const happening = Arbitrary.all({
  wait: oneOf(integer(0, 3), integer(0, 90_000), anyOf([60_000, 3_600_000, 86_400_000]), integer(0, 100_000_000)),
  entering: integer(0, 5),
  leaving: integer(0, 5),
  exits: integer(0, 5),
  stayed: integer(0, 1_000_000)
})
const happenings = Arbitrary.map(
  Arbitrary.all([integer(0, 12), Arbitrary.all(Array.from({ length: 12 }, () => happening))]),
  ([count, all]) => all.slice(0, count)
)

/** Somewhere within a day, so that steps begin and end at any distance. */
const beganAt = Arbitrary.map(integer(0, 86_400_000), (distance) => after(NOW, distance))

const changesOf = (
  began: Timestamp,
  happenings: ReadonlyArray<{
    readonly wait: number
    readonly entering: number
    readonly leaving: number
    readonly exits: number
    readonly stayed: number
  }>
): ReadonlyArray<HistoryChange> => {
  const changes: Array<HistoryChange> = []
  let at: Timestamp = began
  let inside = 0
  for (const { wait, entering, leaving, exits, stayed } of happenings) {
    at = after(at, wait)
    const left = Math.min(leaving, inside + entering)
    inside += entering - left
    const closed = Math.min(exits, left)
    changes.push({ entered: entering, left, inside, exits: closed, stayed: closed === 0 ? 0 : stayed, at })
  }
  return changes
}

const insideAfter = (changes: ReadonlyArray<HistoryChange>): number => changes.at(-1)?.inside ?? 0

/** The history that holds these changes alone. */
const history = (beganAt: Timestamp, changes: ReadonlyArray<HistoryChange>) => ({
  beganAt,
  buckets: [],
  changes,
  inside: insideAfter(changes)
})

/** A row as the specification has it, from the changes one by one. */
const rowOf = (changes: ReadonlyArray<HistoryChange>, from: number, until: number, end: number): HistoryRow => {
  const within = changes.filter(({ at }) => at >= from && at < end)
  const before = insideAfter(changes.filter(({ at }) => at < from))
  const sum = (of: (change: HistoryChange) => number) => within.reduce((total, change) => total + of(change), 0)
  let [insideTime, last, inside] = [0, from, before]
  for (const change of within) {
    insideTime += inside * (change.at - last)
    last = change.at
    inside = change.inside
  }
  insideTime += inside * (until - last)
  const reached = [before, ...within.flatMap((change) => [change.inside - change.entered + change.left, change.inside])]
  const exits = sum((change) => change.exits)
  return {
    from: Timestamp(from),
    entered: sum((change) => change.entered),
    left: sum((change) => change.left),
    least: Math.min(...reached),
    most: Math.max(...reached),
    average: until === from ? inside : insideTime / (until - from),
    averageStay: exits === 0 ? undefined : sum((change) => change.stayed) / exits / 1000
  }
}

const LENGTHS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Those of UTC, and some whose offsets are not whole hours or change by half an hour. */
const timeZone = anyOf([
  undefined,
  "Europe/Rome",
  "America/St_Johns",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe"
])

const rangeOf = (query: HistoryQuery) => Result.getOrThrow(historyRange(query))

describe("a range", () => {
  it.prop(
    "is rounded to the whole steps that hold it, and has 1,500 of them at most",
    { step, from: timestamp, to: timestamp, steps: integer(1, 1_600) },
    ({ step, from, to, steps }) => {
      const length = LENGTHS[step]
      for (const end of [to, Timestamp(from + steps * length)]) {
        const range = historyRange({ step, from, to: end })
        if (from >= end) {
          assert.strictEqual(verdict(range), "HistoryRangeInvalid")
          continue
        }
        const count = Math.ceil(end / length) - Math.floor(from / length)
        assert.strictEqual(verdict(range), count > MAX_HISTORY_STEPS ? "HistoryRangeInvalid" : "accepted")
        if (Result.isFailure(range)) continue
        const { starts, to: last } = range.success
        assert.isTrue(starts[0]! <= from && from - starts[0]! < length)
        assert.isTrue(last >= end && last - end < length)
        assert.deepStrictEqual(starts, Array.from({ length: count }, (_, n) => starts[0]! + n * length) as never)
        assert.strictEqual(starts[0]! % length, 0)
      }
    },
    trials()
  )

  it.prop(
    "of a time zone has its hours and days, and 1,500 of them at most",
    {
      step: anyOf(["hour", "day"] as const),
      timeZone: anyOf(["Europe/Rome", "America/St_Johns", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana"]),
      from: integer(Date.UTC(2006, 0, 1) / 60_000, Date.UTC(2036, 0, 1) / 60_000),
      steps: oneOf(integer(1, 60), anyOf([1_498, 1_503]))
    },
    ({ step, timeZone, from: minutes, steps }) => {
      const from = Timestamp(minutes * 60_000)
      const to = after(from, steps * LENGTHS[step])
      const range = historyRange({ step, from, to, timeZone })
      assert.strictEqual(verdict(range), steps > MAX_HISTORY_STEPS ? "HistoryRangeInvalid" : "accepted")
      if (Result.isFailure(range)) return
      const { starts, to: end } = range.success
      assert.isTrue(starts[0]! <= from && starts.at(-1)! < to && to <= end)
      const local = new Intl.DateTimeFormat("en-GB", {
        timeZone,
        dateStyle: "short",
        timeStyle: step === "day" ? undefined : "short"
      })
      // Of an hour the beginning, which its last minutes share.
      const read = (at: number) => (step === "day" ? local.format(at) : local.format(at).slice(0, -2))
      for (const [n, start] of starts.slice(0, 100).entries()) {
        const next = starts[n + 1] ?? end
        const length = (next - start) / 3_600_000
        assert.include(step === "day" ? [23, 23.5, 24, 24.5, 25] : [0.5, 1], length)
        // The clocks go back a minute after midnight at some places: then a day begins with the last hour of the day before.
        if (timeZone !== "America/St_Johns") assert.strictEqual(read(next - 60_000), read(start))
        if (step === "day") assert.notStrictEqual(read(next), read(start))
      }
    },
    trials(200)
  )
})

describe("buckets", () => {
  it.prop(
    "are the same whatever was merged before, and in whichever steps",
    { beganAt, happenings, first: integer(0, 12), second: integer(0, 12) },
    ({ beganAt, happenings, first, second }) => {
      const all = changesOf(beganAt, happenings).map(bucketOfChange)
      const [one, other] = [Math.min(first, second), Math.max(first, second)]
      for (const startOf of BUCKET_STEPS.map(bucketStart)) {
        const once = mergeBuckets(startOf, all)
        const rolled = mergeBuckets(startOf, [...mergeBuckets(startOf, all.slice(0, one)), ...all.slice(one, other)])
        assert.deepStrictEqual(mergeBuckets(startOf, [...rolled, ...all.slice(other)]), once)
        const later = mergeBuckets(startOf, all.slice(one))
        assert.deepStrictEqual(mergeBuckets(startOf, [...mergeBuckets(startOf, all.slice(0, one)), ...later]), once)
      }
      const [minute, quarter, day] = BUCKET_STEPS.map(bucketStart) as [StartOf, StartOf, StartOf]
      const quarters = mergeBuckets(quarter, mergeBuckets(minute, all))
      assert.deepStrictEqual(quarters, mergeBuckets(quarter, all))
      assert.deepStrictEqual(mergeBuckets(day, quarters), mergeBuckets(day, all))
    },
    trials()
  )
})

describe("rows", () => {
  const query = {
    beganAt,
    happenings,
    step,
    timeZone,
    /** Where the range begins and how long it is, in steps of the history. */
    start: integer(-3, 5),
    length: integer(1, 8),
    /** How many changes are in buckets. */
    rolled: integer(0, 12),
    /** How long ago the last change was. */
    since: oneOf(integer(0, 2), integer(0, 200_000), integer(0, 200_000_000))
  }

  it.prop(
    "tell what the changes tell, one by one, whatever was rolled up before",
    query,
    ({ beganAt, happenings, step, timeZone, start, length, rolled, since }) => {
      const changes = changesOf(beganAt, happenings)
      const now = after(changes.at(-1)?.at ?? beganAt, since)
      const from = after(beganAt, start * LENGTHS[step])
      const range = rangeOf({ step, from, to: after(from, length * LENGTHS[step]), timeZone })

      const expected: Array<HistoryRow> = []
      for (const [n, at] of range.starts.entries()) {
        const end = range.starts[n + 1] ?? range.to
        if (end > beganAt && at <= now) expected.push(rowOf(changes, at, Math.min(now, end), end))
      }
      assert.deepStrictEqual(historyRows(range, history(beganAt, changes), now), expected)

      // A store reads the buckets of the range and the first one after it.
      const every = mergeBuckets(bucketStart(range.bucketStep), changes.slice(0, rolled).map(bucketOfChange))
      const end = every.findIndex((bucket) => bucket.from >= range.to)
      const [first] = range.starts as [Timestamp]
      const buckets = every.slice(0, end === -1 ? undefined : end + 1).filter((bucket) => bucket.from >= first)
      const stored = { beganAt, buckets, changes: changes.slice(rolled), inside: insideAfter(changes) }
      assert.deepStrictEqual(historyRows(range, stored, now), expected)

      const keptFrom = range.starts[2] ?? range.to
      const kept = { ...stored, keptFrom, buckets: buckets.filter((bucket) => bucket.from >= keptFrom) }
      const keptChanges = changes.slice(rolled).every(({ at }) => at >= keptFrom)
      if (keptChanges)
        assert.deepStrictEqual(
          historyRows(range, kept, now),
          expected.filter((row) => row.from >= keptFrom)
        )
    },
    trials()
  )

  it.prop(
    "answer the mean stay of anonymous people in whole minutes, for steps with enough exits that no longer change",
    {
      beganAt,
      happenings,
      step,
      smallestCount: integer(1, 6),
      since: oneOf(integer(0, 200_000), anyOf([3_600_000, 86_400_000])),
      pending: maybe(integer(0, 200_000)),
      /** How long before now people were anonymous last; none: they are. */
      ago: maybe(oneOf(integer(0, 200_000), anyOf([0, 3_600_000, 86_400_000])))
    },
    ({ beganAt, happenings, step, smallestCount, since, pending, ago }) => {
      const changes = changesOf(beganAt, happenings)
      const now = after(changes.at(-1)?.at ?? beganAt, since)
      const [length, first] = [LENGTHS[step], Math.floor(beganAt / LENGTHS[step])]
      const starts = Array.from({ length: Math.floor(now / length) - first + 1 }, (_, n) =>
        Timestamp((first + n) * length)
      )
      const range: HistoryRange = { bucketStep: "minute", starts, to: after(starts.at(-1)!, length) }
      const exact = historyRows(range, history(beganAt, changes), now)
      const pendingSince = pending === undefined ? undefined : after(now, -pending)
      const anonymousUntil = ago === undefined ? undefined : after(now, -ago)
      const stored = { ...history(beganAt, changes), smallestCount, pendingSince, anonymousUntil }
      const rows = historyRows(range, stored, now)
      const exits = new Map<number, number>()
      for (const change of changes) {
        const from = Math.floor(change.at / length) * length
        exits.set(from, (exits.get(from) ?? 0) + change.exits)
      }
      const exitsOf = ({ from }: HistoryRow) => exits.get(from) ?? 0
      const isSettled = ({ from }: HistoryRow) =>
        from + LENGTHS[step] <= now && (pendingSince === undefined || from + LENGTHS[step] <= pendingSince)
      const isAnswered = (row: HistoryRow) =>
        smallestCount === 1 ? exitsOf(row) > 0 : exitsOf(row) >= smallestCount && isSettled(row)
      assert.strictEqual(rows.length, exact.length)
      for (const [index, { averageStay, ...row }] of rows.entries()) {
        const { averageStay: stayed, ...same } = exact[index]!
        assert.deepStrictEqual(row, same)
        if (anonymousUntil !== undefined && row.from > anonymousUntil) {
          assert.strictEqual(averageStay, stayed)
          continue
        }
        assert.strictEqual(averageStay !== undefined, isAnswered(exact[index]!))
        if (averageStay === undefined) continue
        assert.strictEqual(averageStay % 60, 0)
        assert.isAtMost(Math.abs(averageStay - stayed!), 30)
      }
    },
    trials()
  )

  it("have exits of anonymous stays in no mean stay that is exact", () => {
    for (const isAnonymous of [true, false]) {
      assert.isTrue(isInMeanStay("anonymous", { isAnonymous }))
      assert.strictEqual(isInMeanStay("authenticated", { isAnonymous }), !isAnonymous)
    }
  })

  it("need 5 exits where people are anonymous, unless the policy says otherwise, and none where they are not", () => {
    assert.strictEqual(smallestCountOf({}, "anonymous"), 5)
    const smallestCount = SmallestCount.make(12)
    assert.strictEqual(smallestCountOf({ smallestCount }, "anonymous"), 12)
    assert.strictEqual(smallestCountOf({ smallestCount }, "authenticated"), undefined)
    assert.strictEqual(smallestCountOf({}, "authenticated"), undefined)
  })

  it("answer alike of two lone stays that differ by 5 minutes, from an hour and from all its minutes but one", () => {
    const rowsWith = (lone: number) => {
      const left = (minute: number, exits: number, seconds: number) => ({
        entered: exits,
        left: exits,
        inside: 0,
        exits,
        stayed: exits * seconds * 1000,
        at: after(NOW, minute * 60_000)
      })
      const changes = [left(1, 5, 600), left(2, 1, lone)]
      const ofStep = (step: "minute" | "hour") =>
        historyRows(
          rangeOf({ step, from: NOW, to: after(NOW, 3_600_000) }),
          { ...history(NOW, changes), smallestCount: 5 },
          after(NOW, 3_600_000)
        ).map(({ averageStay }) => averageStay)
      return { minutes: ofStep("minute"), hours: ofStep("hour") }
    }
    const { minutes, hours } = rowsWith(480)
    assert.deepStrictEqual([minutes[1], minutes[2], hours[0]], [600, undefined, 600])
    assert.deepStrictEqual(rowsWith(779), { minutes, hours })
    // But a stay that is much longer shows: 6 x 11 minutes less 5 x 10.
    assert.strictEqual(rowsWith(960).hours[0], 660)
  })

  it("reach to what another server recorded, when its clock is ahead", () => {
    const now = after(NOW, 59_990)
    const ahead = { entered: 1, left: 0, inside: 1, exits: 0, stayed: 0, at: after(NOW, 60_010) }
    const rows = historyRows(
      rangeOf({ step: "minute", from: NOW, to: after(NOW, 120_000) }),
      history(NOW, [ahead]),
      now
    )
    assert.deepStrictEqual(
      rows.map(({ entered, average }) => [entered, average]),
      [
        [0, 0],
        [1, 0]
      ]
    )
  })
})
