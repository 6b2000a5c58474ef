/** Stays of the past that are added to a history, compared with a history of all of them. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import {
  bucketOfChange,
  bucketsOfStays,
  type BucketsByStep,
  BUCKET_STEPS,
  type HistoryBucket,
  historyParts,
  type BucketStep,
  bucketStart,
  mergeBuckets,
  overlay,
  type PastStay,
  Timestamp
} from "../../../src/index.ts"
import { after, anyOf, integer, NOW } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Midnight, weeks before now. */
const MORNING = bucketStart("day")(after(NOW, -40 * DAY))

const bucketsOf = (stays: ReadonlyArray<PastStay>): BucketsByStep => {
  const steps = bucketsOfStays(stays, NOW)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Stays whose times are `remainder` seconds after even or odd minutes. */
const staysOf = (remainder: number) =>
  Arbitrary.map(
    Arbitrary.array(
      Arbitrary.all({
        minute: anyOf([0, 1, 2, 60, 1_440, 30_000, 30_001]),
        plus: integer(0, 40),
        minutes: anyOf([0, 1, 30, 90, 3_000, 25_000])
      }),
      { maxLength: 8 }
    ),
    (drafts) =>
      drafts.map(({ minute, plus, minutes }): PastStay => {
        const entrance = Timestamp(Math.min(NOW, after(MORNING, 2 * (minute + plus) * MINUTE + remainder)))
        return { entrance, exit: Timestamp(Math.min(NOW, after(entrance, 2 * minutes * MINUTE))) }
      })
  )

const within = (buckets: ReadonlyArray<HistoryBucket>, from: number, to: number) =>
  buckets.filter((bucket) => bucket.from >= from && bucket.from < to)

/** Adds to stored buckets part by part, as a store does. */
const addTo = (stored: BucketsByStep, added: BucketsByStep, keptMinutes = true): BucketsByStep => {
  const all = Object.fromEntries(
    BUCKET_STEPS.map((step) => [step, new Map(stored[step].map((bucket) => [bucket.from, bucket]))])
  ) as Record<BucketStep, Map<Timestamp, HistoryBucket>>
  const sorted = (step: BucketStep) => [...all[step].values()].sort((one, other) => one.from - other.from)
  if (!keptMinutes) all.minute.clear()
  const parts = historyParts(added)
  for (let part = parts.next(); part !== undefined; part = parts.next()) {
    const { from, to, ...rest } = part
    const next = sorted("day").find((bucket) => bucket.from >= to)?.from
    const changed = overlay({
      ...rest,
      stored: {
        minute: within(sorted("minute"), from, to),
        quarter: within(sorted("quarter"), from, to),
        day: within(sorted("day"), from, to)
      },
      storedInside: sorted("day").find((bucket) => bucket.from >= from)?.before ?? 0
    })
    for (const step of BUCKET_STEPS) for (const bucket of changed[step]) all[step].set(bucket.from, bucket)
    parts.skipTo(next)
  }
  return { minute: sorted("minute"), quarter: sorted("quarter"), day: sorted("day") }
}

/** The changes of stays, one after the other, as a feed has them. */
const changesOf = (stays: ReadonlyArray<PastStay>): ReadonlyArray<HistoryBucket> => {
  let inside = 0
  const instants = new Set(stays.flatMap(({ entrance, exit }) => [entrance, exit]))
  return [...instants]
    .sort((one, other) => one - other)
    .map((at) => {
      const left = stays.filter(({ exit }) => exit === at)
      const entered = stays.filter(({ entrance }) => entrance === at).length
      inside += entered - left.length
      const stayed = left.reduce((sum, { entrance, exit }) => sum + exit - entrance, 0)
      return bucketOfChange({ entered, left: left.length, exits: left.length, stayed, inside, at })
    })
}

describe("stays that are added to a history", () => {
  it.prop(
    "are the buckets of their movements",
    { some: staysOf(0), others: staysOf(20_000), odd: staysOf(59_999) },
    ({ some, others, odd }) => {
      const stays = [...some, ...others, ...odd]
      const changes = changesOf(stays)
      for (const step of BUCKET_STEPS)
        assert.deepStrictEqual(bucketsOf(stays)[step], mergeBuckets(bucketStart(step), changes))
    },
    trials()
  )

  it.prop(
    "are in it as if all had been recorded at their times, where no minute has changes of both",
    { stored: staysOf(0), added: staysOf(MINUTE) },
    ({ stored, added }) => {
      assert.deepStrictEqual(addTo(bucketsOf(stored), bucketsOf(added)), bucketsOf([...stored, ...added]))
    },
    trials()
  )

  it.prop(
    "leave counts and times exact and bound the extremes, whatever is in one minute and whether minutes are kept",
    { stored: staysOf(0), added: staysOf(20_000), keptMinutes: anyOf([true, false]) },
    ({ stored, added, keptMinutes }) => {
      const found = addTo(bucketsOf(stored), bucketsOf(added), keptMinutes)
      const exact = bucketsOf([...stored, ...added])
      for (const step of keptMinutes ? BUCKET_STEPS : (["quarter", "day"] as const)) {
        assert.strictEqual(found[step].length, exact[step].length)
        for (const [n, { least, most, ...counts }] of found[step].entries()) {
          const { least: fewest, most: highest, ...others } = exact[step][n]!
          assert.deepStrictEqual(counts, others)
          assert.isTrue(least <= fewest && most >= highest)
        }
      }
    },
    trials()
  )

  it("end now at the latest, as the present number of people stays as it is", () => {
    const [bucket] = bucketsOf([{ entrance: after(NOW, -MINUTE), exit: after(NOW, 4 * MINUTE) }]).day
    assert.deepInclude(bucket, { until: NOW, entered: 1, left: 1, exits: 1, stayed: 5 * MINUTE, insideTime: MINUTE })
  })
})
