/** The presence feed without a store: sums of changes, totals, event times, and when the next event is due. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import {
  addPendingChanges,
  EventGrain,
  insideOf,
  isPublishedAt,
  levelOf,
  newTotals,
  nextLevel,
  type PendingChange,
  type PresenceTotals,
  type PresenceEventData,
  nextPublishingMoment,
  publishingIntervalOf,
  publishingMoment,
  publishableFrom,
  eventAt,
  setCapacity,
  setCapacityLater,
  LARGEST_CLOCK_DIFFERENCE_MS,
  publishChange,
  publishingMode,
  Timestamp
} from "../../../src/index.ts"
import {
  after,
  anyOf,
  capacity,
  EARLIEST,
  integer,
  LATEST,
  maybe,
  nearNow,
  NOW,
  offset,
  placeId,
  timestamp
} from "@sojourn/testing"
import { trials } from "../../trials.ts"

const count = integer(0, 400)

const change: Arbitrary.Arbitrary<PendingChange> = Arbitrary.map(
  Arbitrary.all([
    count,
    count,
    count,
    integer(0, 86_400_000),
    nearNow,
    anyOf([true, false]),
    count,
    anyOf([true, false])
  ]),
  ([entered, left, exits, stayed, at, isCorrection, counted, isAnonymous]) => ({
    entered,
    left,
    exits: Math.min(left, exits),
    stayed,
    counted: entered - left,
    countedOut: Math.min(left, counted),
    isCorrection,
    isAnonymous,
    at
  })
)

/** A totals whose level is one that its capacity and its number of people may have led to. */
const totals: Arbitrary.Arbitrary<PresenceTotals> = Arbitrary.map(
  Arbitrary.all([maybe(placeId), count, count, maybe(capacity), maybe(nearNow), count]),
  ([placeId, one, other, capacity, publishedAt, before]) => {
    const [entered, left] = [Math.max(one, other), Math.min(one, other)]
    const level = nextLevel(capacity, levelOf(capacity, before), entered - left)
    return { placeId, entered, left, capacity, level, publishedAt }
  }
)

describe("changes", () => {
  it.prop(
    "add up alike in any order and any grouping, and are of the last moment among them",
    { one: change, two: change, three: change },
    ({ one, two, three }) => {
      const sum = addPendingChanges(one, two)
      assert.deepStrictEqual(addPendingChanges(two, one), sum)
      assert.deepStrictEqual(addPendingChanges(sum, three), addPendingChanges(one, addPendingChanges(two, three)))
      assert.deepStrictEqual(sum, {
        entered: one.entered + two.entered,
        left: one.left + two.left,
        exits: one.exits + two.exits,
        stayed: one.stayed + two.stayed,
        counted: one.counted + two.counted,
        countedOut: one.countedOut + two.countedOut,
        isCorrection: one.isCorrection && two.isCorrection,
        isAnonymous: one.isAnonymous && two.isAnonymous,
        at: one.at > two.at ? one.at : two.at
      })
    },
    trials()
  )
})

describe("a totals", () => {
  it.prop(
    "begins with totals of 0 and without a level",
    { placeId: maybe(placeId) },
    ({ placeId }) => {
      const totals = newTotals(placeId)
      assert.deepStrictEqual([totals.placeId, totals.entered, totals.left, insideOf(totals)], [placeId, 0, 0, 0])
      assert.deepStrictEqual([totals.capacity, totals.level, totals.publishedAt], [undefined, "none", undefined])
    },
    trials(20)
  )

  it.prop(
    "has the level of its people where a capacity is set, publishes a level that changes, and waits with what waits",
    { totals, set: maybe(capacity), isAgain: integer(0, 3), isWaiting: anyOf([false, true]) },
    ({ totals, set, isAgain, isWaiting }) => {
      const requested = isAgain === 0 ? totals.capacity && { ...totals.capacity } : set
      const isSame = requested?.capacity === totals.capacity?.capacity && requested?.warnAt === totals.capacity?.warnAt
      const { totals: after, events } = setCapacity(totals, requested, isWaiting)
      const isKept = isSame || (isWaiting && requested !== undefined)
      const level = isKept ? totals.level : levelOf(requested, insideOf(totals))
      assert.deepStrictEqual(after, { ...totals, capacity: requested, level })
      const { placeId } = totals
      const published = {
        _tag: "CapacityChanged",
        placeId,
        level,
        inside: insideOf(totals),
        capacity: requested?.capacity
      }
      assert.deepStrictEqual(events as ReadonlyArray<object>, level === totals.level ? [] : [published])
    },
    trials()
  )

  it.prop(
    "adds what is published to its totals, and keeps the rest",
    { totals, change, now: nearNow },
    ({ totals, change, now }) => {
      const { totals: published } = publishChange(totals, change, now)
      const { entered, left, level, publishedAt, ...rest } = published
      assert.deepStrictEqual([entered, left], [totals.entered + change.entered, totals.left + change.left])
      assert.strictEqual(insideOf(published), insideOf(totals) + change.entered - change.left)
      assert.strictEqual(level, nextLevel(totals.capacity, totals.level, insideOf(published)))
      assert.strictEqual(publishedAt, now)
      assert.deepStrictEqual(rest, { placeId: totals.placeId, capacity: totals.capacity })
    },
    trials()
  )

  it.prop(
    "publishes one change, and after it a level that is another one, and nothing else",
    { totals, change: Arbitrary.filter(change, ({ entered, left }) => entered + left > 0), now: nearNow },
    ({ totals, change: { entered, left, isCorrection }, now }) => {
      const { totals: published, events } = publishChange(totals, { entered, left, isCorrection }, now)
      const { placeId, capacity, level } = published
      const inside = insideOf(published)
      const counts = { placeId, entered, left, inside }
      const changed: PresenceEventData = isCorrection
        ? { _tag: "PresenceChanged", ...counts, corrected: true }
        : { _tag: "PresenceChanged", ...counts }
      const reached: PresenceEventData = {
        _tag: "CapacityChanged",
        placeId,
        level,
        inside,
        capacity: capacity?.capacity
      }
      assert.deepStrictEqual(events, [changed, ...(level === totals.level ? [] : [reached])])
    },
    trials()
  )

  it.prop(
    "has a capacity that is set later at once, and its level by the next change, also one without counts",
    { totals, set: maybe(capacity), now: nearNow },
    ({ totals, set, now }) => {
      const { totals: after, isLevelPending } = setCapacityLater(totals, set)
      assert.deepStrictEqual(after, { ...totals, capacity: set })
      const { totals: published, events } = publishChange(after, { entered: 0, left: 0 }, now)
      const level = nextLevel(set, totals.level, insideOf(totals))
      assert.deepStrictEqual(published, { ...after, level, publishedAt: now })
      assert.strictEqual(isLevelPending, level !== totals.level)
      const { placeId } = totals
      const reached = { _tag: "CapacityChanged", placeId, level, inside: insideOf(totals), capacity: set?.capacity }
      assert.deepStrictEqual(events as ReadonlyArray<object>, isLevelPending ? [reached] : [])
    },
    trials()
  )
})

describe("the time of an event", () => {
  it.prop(
    "is when it was recorded, and never before the event before, unless that one is of a clock that was wrong",
    { last: nearNow, recorded: nearNow },
    ({ last, recorded }) => {
      const isWrong = last > NOW + LARGEST_CLOCK_DIFFERENCE_MS
      const at = eventAt({ last, recorded, now: NOW })
      assert.strictEqual(at, isWrong || last < recorded ? recorded : last)
      assert.isAtLeast(at, recorded)
    },
    trials()
  )
})

describe("what some premises have to publish", () => {
  const interval = integer(0, 60_000)

  it.prop(
    "may be published an interval after the last time, to the millisecond, and at once when that is over",
    { publishedAt: timestamp, interval, ago: offset },
    ({ publishedAt, interval, ago }) => {
      const now = after(publishedAt, Math.abs(ago))
      const from = publishableFrom({ publishedAt }, interval, now)
      assert.strictEqual(from, Math.min(LATEST, Math.max(now, publishedAt + interval)))
    },
    trials()
  )

  it.prop(
    "may be published at once where nothing was published before, or more than an interval ahead, and an interval after what is less ahead",
    { publishedAt: maybe(nearNow), interval },
    ({ publishedAt, interval }) => {
      const from = publishableFrom({ publishedAt }, interval, NOW)
      if (publishedAt === undefined || publishedAt > NOW + interval) assert.strictEqual(from, NOW)
      else if (publishedAt > NOW) assert.strictEqual(from, publishedAt + interval)
      assert.isAtLeast(from, NOW)
      assert.strictEqual(publishableFrom({ publishedAt }, 0, NOW), NOW)
    },
    trials()
  )
})

describe("a publishing interval", () => {
  const interval = Arbitrary.map(integer(2, 60), (seconds) => seconds * 1000)

  it("is an operator's interval of 2 seconds or more of an anonymous organization", () => {
    for (let seconds = 0; seconds <= 60; seconds++) {
      const policy = { eventGrain: EventGrain.make(seconds) }
      assert.strictEqual(publishingIntervalOf(policy, "anonymous"), seconds < 2 ? undefined : seconds * 1000)
      assert.strictEqual(publishingIntervalOf(policy, "authenticated"), undefined)
    }
    for (const mode of ["anonymous", "authenticated"] as const) {
      assert.strictEqual(publishingIntervalOf({}, mode), undefined)
      assert.strictEqual(publishingMode(mode, undefined), mode)
      assert.strictEqual(publishingMode(mode, NOW), "anonymous")
    }
  })

  it.prop(
    "has its moments at the multiples since the Unix epoch",
    { interval, now: timestamp },
    ({ interval, now }) => {
      const moment = publishingMoment(interval, now)
      if (moment === EARLIEST) return
      assert.strictEqual(Math.abs(moment % interval), 0)
      assert.isTrue(moment <= now && now - moment < interval)
    },
    trials()
  )

  it.prop(
    "publishes at the first multiple after the last publication, with nothing that was recorded or published later",
    { interval, recordedAt: nearNow, feedAt: nearNow, publishedAt: maybe(nearNow) },
    ({ interval, recordedAt, feedAt, publishedAt }) => {
      const from = nextPublishingMoment({ recordedAt, feedAt, publishedAt }, interval, NOW)
      const isRight = (at: number) => at <= NOW + LARGEST_CLOCK_DIFFERENCE_MS
      const isAllowed = (at: number) =>
        at % interval === 0 &&
        at > NOW - interval &&
        [recordedAt, feedAt].every((other) => at >= other || !isRight(other)) &&
        (publishedAt === undefined || at > publishedAt || !isRight(publishedAt))
      assert.isTrue(isAllowed(from))
      assert.isFalse(isAllowed(from - interval))
      // What is due then is published then.
      if (isRight(recordedAt)) {
        const at = Timestamp(Math.max(from, NOW))
        assert.isTrue(isPublishedAt(publishingMoment(interval, at), { at: recordedAt }, at))
      }
    },
    trials()
  )

  it.prop(
    "leaves what was recorded after its moment to the next one, unless a clock was wrong",
    { interval, at: nearNow },
    ({ interval, at }) => {
      const moment = publishingMoment(interval, NOW)
      assert.strictEqual(isPublishedAt(moment, { at }, NOW), !(at > moment && at <= NOW + LARGEST_CLOCK_DIFFERENCE_MS))
    },
    trials()
  )
})
