/** The presence feed without a store: sums of deltas, heads, event times, and when the next event is due. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import {
  addDeltas,
  EventGrain,
  insideOf,
  isPublishedAt,
  levelOf,
  newHead,
  nextLevel,
  type PresenceDelta,
  type PresenceHead,
  type PresenceNews,
  publishableFrom,
  publishingIntervalOf,
  publishingMoment,
  tellableFrom,
  eventAt,
  setCapacity,
  setCapacityLater,
  LARGEST_CLOCK_DIFFERENCE,
  tellDelta,
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

const delta: Arbitrary.Arbitrary<PresenceDelta> = Arbitrary.map(
  Arbitrary.all([count, count, count, integer(0, 86_400_000), nearNow]),
  ([entered, left, exits, stayed, at]) => ({ entered, left, exits: Math.min(left, exits), stayed, at })
)

/** A head whose level is one that its capacity and its number of people may have led to. */
const head: Arbitrary.Arbitrary<PresenceHead> = Arbitrary.map(
  Arbitrary.all([maybe(placeId), count, count, maybe(capacity), maybe(nearNow), count]),
  ([placeId, one, other, capacity, toldAt, before]) => {
    const [entered, left] = [Math.max(one, other), Math.min(one, other)]
    const level = nextLevel(capacity, levelOf(capacity, before), entered - left)
    return { placeId, entered, left, capacity, level, toldAt }
  }
)

describe("deltas", () => {
  it.prop(
    "add up alike in any order and any grouping, and are of the last moment among them",
    { one: delta, two: delta, three: delta },
    ({ one, two, three }) => {
      const sum = addDeltas(one, two)
      assert.deepStrictEqual(addDeltas(two, one), sum)
      assert.deepStrictEqual(addDeltas(sum, three), addDeltas(one, addDeltas(two, three)))
      assert.deepStrictEqual(sum, {
        entered: one.entered + two.entered,
        left: one.left + two.left,
        exits: one.exits + two.exits,
        stayed: one.stayed + two.stayed,
        at: one.at > two.at ? one.at : two.at
      })
    },
    trials()
  )
})

describe("a head", () => {
  it.prop(
    "begins with totals of 0 and without a level",
    { placeId: maybe(placeId) },
    ({ placeId }) => {
      const head = newHead(placeId)
      assert.deepStrictEqual([head.placeId, head.entered, head.left, insideOf(head)], [placeId, 0, 0, 0])
      assert.deepStrictEqual([head.capacity, head.level, head.toldAt], [undefined, "none", undefined])
    },
    trials(20)
  )

  it.prop(
    "has the level of its people where a capacity is set, tells a level that changes, and waits with what waits",
    { head, set: maybe(capacity), isAgain: integer(0, 3), isWaiting: anyOf([false, true]) },
    ({ head, set, isAgain, isWaiting }) => {
      const asked = isAgain === 0 ? head.capacity && { ...head.capacity } : set
      const isSame = asked?.capacity === head.capacity?.capacity && asked?.warnAt === head.capacity?.warnAt
      const { head: after, news } = setCapacity(head, asked, isWaiting)
      const isKept = isSame || (isWaiting && asked !== undefined)
      const level = isKept ? head.level : levelOf(asked, insideOf(head))
      assert.deepStrictEqual(after, { ...head, capacity: asked, level })
      const { placeId } = head
      const told = { _tag: "CapacityChanged", placeId, level, inside: insideOf(head), capacity: asked?.capacity }
      assert.deepStrictEqual(news as ReadonlyArray<object>, level === head.level ? [] : [told])
    },
    trials()
  )

  it("keeps a level that is held where the same capacity is set again, and no other", () => {
    const held: PresenceHead = { ...newHead(), entered: 28, level: "warning", capacity: { capacity: 60, warnAt: 0.5 } }
    assert.deepStrictEqual(setCapacity(held, { capacity: 60, warnAt: 0.5 }, false), { head: held, news: [] })
    for (const other of [
      { capacity: 61, warnAt: 0.5 },
      { capacity: 60, warnAt: 0.6 }
    ]) {
      assert.strictEqual(setCapacity(held, other, false).head.level, "normal")
    }
  })

  it.prop(
    "adds what is told to its totals, and keeps the rest",
    { head, delta, now: nearNow },
    ({ head, delta, now }) => {
      const { head: told } = tellDelta(head, delta, now)
      const { entered, left, level, toldAt, ...rest } = told
      assert.deepStrictEqual([entered, left], [head.entered + delta.entered, head.left + delta.left])
      assert.strictEqual(insideOf(told), insideOf(head) + delta.entered - delta.left)
      assert.strictEqual(level, nextLevel(head.capacity, head.level, insideOf(told)))
      assert.strictEqual(toldAt, now)
      assert.deepStrictEqual(rest, { placeId: head.placeId, capacity: head.capacity })
    },
    trials()
  )

  it.prop(
    "tells one change, and after it a level that is another one, and nothing else",
    { head, delta: Arbitrary.filter(delta, ({ entered, left }) => entered + left > 0), now: nearNow },
    ({ head, delta: { entered, left }, now }) => {
      const { head: told, news } = tellDelta(head, { entered, left }, now)
      const { placeId, capacity, level } = told
      const inside = insideOf(told)
      const changed: PresenceNews = { _tag: "PresenceChanged", placeId, entered, left, inside }
      const reached: PresenceNews = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
      assert.deepStrictEqual(news, [changed, ...(level === head.level ? [] : [reached])])
    },
    trials()
  )

  it.prop(
    "has a capacity that is set later at once, and its level by the next delta, also one without counts",
    { head, set: maybe(capacity), now: nearNow },
    ({ head, set, now }) => {
      const { head: after, isLevelPending } = setCapacityLater(head, set)
      assert.deepStrictEqual(after, { ...head, capacity: set })
      const { head: told, news } = tellDelta(after, { entered: 0, left: 0 }, now)
      const level = nextLevel(set, head.level, insideOf(head))
      assert.deepStrictEqual(told, { ...after, level, toldAt: now })
      assert.strictEqual(isLevelPending, level !== head.level)
      const { placeId } = head
      const reached = { _tag: "CapacityChanged", placeId, level, inside: insideOf(head), capacity: set?.capacity }
      assert.deepStrictEqual(news as ReadonlyArray<object>, isLevelPending ? [reached] : [])
    },
    trials()
  )

  it.prop(
    "has the same totals whether deltas are told one by one or as their sum",
    { head, deltas: Arbitrary.array(delta, { minLength: 1, maxLength: 6 }), now: nearNow },
    ({ head, deltas, now }) => {
      const oneByOne = deltas.reduce((told, delta) => tellDelta(told, delta, now).head, head)
      const atOnce = tellDelta(head, deltas.reduce(addDeltas), now).head
      assert.deepStrictEqual({ ...oneByOne, level: "none" }, { ...atOnce, level: "none" })
    },
    trials()
  )
})

describe("the time of an event", () => {
  it.prop(
    "is when it was recorded, and never before the event before, unless that one is of a clock that was wrong",
    { last: nearNow, recorded: nearNow },
    ({ last, recorded }) => {
      const isWrong = last > NOW + LARGEST_CLOCK_DIFFERENCE
      const at = eventAt(last, recorded, NOW)
      assert.strictEqual(at, isWrong || last < recorded ? recorded : last)
      assert.isAtLeast(at, recorded)
    },
    trials()
  )
})

describe("what some premises have to tell", () => {
  const grain = integer(0, 60_000)

  it.prop(
    "may be told a grain after the last time, to the millisecond, and at once when that is over",
    { toldAt: timestamp, grain, ago: offset },
    ({ toldAt, grain, ago }) => {
      const now = after(toldAt, Math.abs(ago))
      const from = tellableFrom({ toldAt }, grain, now)
      assert.strictEqual(from, Math.min(LATEST, Math.max(now, toldAt + grain)))
    },
    trials()
  )

  it.prop(
    "may be told at once where nothing was told before, or more than a grain ahead, and a grain after what is less ahead",
    { toldAt: maybe(nearNow), grain },
    ({ toldAt, grain }) => {
      const from = tellableFrom({ toldAt }, grain, NOW)
      if (toldAt === undefined || toldAt > NOW + grain) assert.strictEqual(from, NOW)
      else if (toldAt > NOW) assert.strictEqual(from, toldAt + grain)
      assert.isAtLeast(from, NOW)
      assert.strictEqual(tellableFrom({ toldAt }, 0, NOW), NOW)
    },
    trials()
  )

  it.prop(
    "may be told when that moment has come",
    { toldAt: nearNow, grain },
    ({ toldAt, grain }) => {
      const from = tellableFrom({ toldAt }, grain, NOW)
      assert.strictEqual(tellableFrom({ toldAt }, grain, from), from)
    },
    trials()
  )
})

describe("a publishing interval", () => {
  const interval = Arbitrary.map(integer(2, 60), (seconds) => seconds * 1000)

  it("is an operator's grain of 2 seconds or more of an anonymous organization", () => {
    for (let seconds = 0; seconds <= 60; seconds++) {
      const policy = { eventGrain: EventGrain.make(seconds) }
      assert.strictEqual(publishingIntervalOf(policy, "anonymous"), seconds < 2 ? undefined : seconds * 1000)
      assert.strictEqual(publishingIntervalOf(policy, "authenticated"), undefined)
    }
    for (const mode of ["anonymous", "authenticated"] as const) {
      assert.strictEqual(publishingIntervalOf({}, mode), undefined)
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
    "publishes at the first multiple after the last publication, with nothing that was recorded or told later",
    { interval, recordedAt: nearNow, feedAt: nearNow, toldAt: maybe(nearNow) },
    ({ interval, recordedAt, feedAt, toldAt }) => {
      const from = publishableFrom({ recordedAt, feedAt, toldAt }, interval, NOW)
      const isRight = (at: number) => at <= NOW + LARGEST_CLOCK_DIFFERENCE
      const isAllowed = (at: number) =>
        at % interval === 0 &&
        at > NOW - interval &&
        [recordedAt, feedAt].every((other) => at >= other || !isRight(other)) &&
        (toldAt === undefined || at > toldAt || !isRight(toldAt))
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
      assert.strictEqual(isPublishedAt(moment, { at }, NOW), !(at > moment && at <= NOW + LARGEST_CLOCK_DIFFERENCE))
    },
    trials()
  )
})
