/** The laws of the feed on what is recorded, and how it is published. */
import { PersonSubject, PlacePremises, type RetryKey, type Timestamp } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  countIn,
  deleteOrganization,
  enter,
  leave,
  premisesOf,
  unused
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import { erase } from "../../shared/personalData.ts"
import { abandonBatch, DAY, forgetBatch, NINETY_DAYS, changePolicy, TWELVE_HOURS } from "../../shared/policies.ts"
import {
  changed,
  totalsOf,
  eventsSince,
  eventDataOf,
  proveSnapshot,
  readFrom,
  setCapacity,
  publish,
  versionOf
} from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"

/** A time after the beginning of every feed, which an adapter may take from the real clock. */
const tomorrow = Effect.map(Clock.currentTimeMillis, (now) => after(now as Timestamp, DAY))

export const feedMovementLaws: Laws = (it) => {
  it("premises are published in the order in which they were recorded, then the organization before its places", function* () {
    const { fixture, premises: place } = yield* premisesOf("place")
    const whole = fixture.premises
    const before = yield* versionOf(fixture)
    const at = yield* tomorrow
    yield* enter(whole, { now: after(at, 2) })
    yield* enter(place, { now: after(at, 1) })
    yield* publish(after(at, DAY))
    yield* enter(place, { now: after(at, 3) })
    yield* enter(whole, { now: after(at, 3) })
    yield* publish(after(at, 2 * DAY))
    const events = yield* readFrom(fixture, before)
    const one = [changed(place, { entered: 1, left: 0, inside: 1 }), changed(whole, { entered: 1, left: 0, inside: 1 })]
    const instant = [
      changed(whole, { entered: 1, left: 0, inside: 2 }),
      changed(place, { entered: 1, left: 0, inside: 2 })
    ]
    same(events.map(eventDataOf), [...one, ...instant])
    const times = events.map((event) => event.at - at)
    same(times, [1, 2, 3, 3])
  })

  it("a capacity that stays as it was leaves what is published later at its time", function* () {
    const { fixture, premises: place } = yield* premisesOf("place")
    const before = yield* versionOf(fixture)
    const at = yield* tomorrow
    yield* enter(place, { now: at })
    yield* setCapacity(fixture, fixture.premises, undefined, after(at, 5000))
    yield* publish(after(at, DAY))
    const events = yield* readFrom(fixture, before)
    const times = events.map((event) => event.at - at)
    same(times, [0])
  })

  it("movements of a place before a publish are one event", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const before = yield* versionOf(fixture)
    const opened = yield* Effect.all(times(5, () => enter(premises)))
    yield* Effect.forEach(opened.slice(0, 2), (stay) => leave(stay))
    same(yield* eventsSince(fixture, before), [])
    assert.include((yield* publish()).organizations, fixture.id)
    same(yield* eventsSince(fixture, before), [changed(premises, { entered: 5, left: 2, inside: 3 })])
    assert.notInclude((yield* publish()).organizations, fixture.id)
    same(yield* eventsSince(fixture, before), [changed(premises, { entered: 5, left: 2, inside: 3 })])
    yield* Effect.forEach(opened.slice(2), (stay) => leave(stay))
    yield* publish(after(NOW, 2 * DAY))
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 5, left: 2, inside: 3 }),
      changed(premises, { entered: 0, left: 3, inside: 0 })
    ])
    yield* proveSnapshot(fixture)
  })

  it("a retried entrance into a place and a repeated exit add no event", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const key = unused("retry") as RetryKey
    const stay = yield* enter(premises, { key })
    yield* enter(premises, { key })
    yield* leave(stay, { timestamp: NOW })
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* enter(premises, { key })
    yield* leave(stay, { timestamp: NOW })
    assert.notInclude((yield* publish(after(NOW, DAY))).organizations, fixture.id)
    same(yield* eventsSince(fixture, before), [])
    const { entered, left } = yield* totalsOf(fixture, premises)
    same([entered, left], [1, 1])
  })

  it("refused movements of a place add no event", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const stay = yield* enter(premises, { timestamp: NOW })
    const left = yield* enter(premises, { timestamp: NOW })
    yield* leave(left, { timestamp: NOW })
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* refused(enter(premises, { timestamp: after(NOW, DAY) }), "TimestampInFuture")
    yield* refused(leave(stay, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance")
    yield* refused(leave(left, { timestamp: after(NOW, 1) }), "ExitNotMatched")
    yield* publish(after(NOW, DAY))
    same(yield* eventsSince(fixture, before), [])
  })

  it("a second entrance of a person inside a place adds no event", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    const before = yield* versionOf(fixture)
    const stay = yield* enter(premises, { by })
    yield* enter(premises, { by })
    yield* refused(enter(premises), "NotLinked")
    yield* publish()
    yield* enter(premises, { by })
    yield* publish()
    yield* leave(stay, { by })
    yield* publish()
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 1, left: 0, inside: 1 }),
      changed(premises, { entered: 0, left: 1, inside: 0 })
    ])
  })

  it("abandoned stays of a place count as left, and forgotten accesses add no event", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    yield* Effect.flatMap(enter(premises), (stay) => leave(stay))
    yield* Effect.all(times(4, () => enter(premises)))
    yield* enter(premises, { now: after(NOW, DAY) })
    yield* publish(after(NOW, DAY))
    const before = yield* versionOf(fixture)
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, DAY)), 4)
    yield* publish(after(NOW, 2 * DAY))
    same(yield* eventsSince(fixture, before), [changed(premises, { entered: 0, left: 4, inside: 1 })])
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 100 * DAY)), 1)
    yield* publish(after(NOW, 100 * DAY))
    same(yield* eventsSince(fixture, before), [changed(premises, { entered: 0, left: 4, inside: 1 })])
    yield* proveSnapshot(fixture)
  })

  it("the erasure of a person inside a place counts as left, and that of their accesses adds no event", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const [inside, outside] = [aPerson(), aPerson()]
    for (const person of [inside, outside, aPerson()]) {
      const by = yield* aUserLinkedTo(fixture.id, person)
      const stay = yield* enter(premises, { by })
      if (person === outside) yield* leave(stay, { by })
    }
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* erase(PersonSubject(fixture.id, outside))
    yield* publish()
    same(yield* eventsSince(fixture, before), [])
    yield* erase(PersonSubject(fixture.id, inside))
    yield* publish()
    same(yield* eventsSince(fixture, before), [changed(premises, { entered: 0, left: 1, inside: 1 })])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* proveSnapshot(fixture)
  })

  it("each premises has events of its own", function* (fixture, other) {
    const [place, second] = [yield* aPlace(fixture), yield* aPlace(fixture)]
    const [inPlace, inSecond] = [PlacePremises(place.id), PlacePremises(second.id)]
    for (const [premises, count] of [
      [fixture.premises, 1],
      [inPlace, 2],
      [inSecond, 3],
      [other.premises, 4]
    ] as const) {
      yield* Effect.all(times(count, () => enter(premises)))
    }
    const before = yield* versionOf(fixture)
    const { organizations } = yield* publish()
    assert.strictEqual(new Set(organizations).size, organizations.length)
    assert.includeMembers([...organizations], [fixture.id, other.id])
    const events = yield* eventsSince(fixture, before)
    assert.strictEqual(events.length, 3)
    for (const expected of [
      changed(fixture.premises, { entered: 1, left: 0, inside: 1 }),
      changed(inPlace, { entered: 2, left: 0, inside: 2 }),
      changed(inSecond, { entered: 3, left: 0, inside: 3 })
    ]) {
      same(
        events.filter((one) => "placeId" in one && one.placeId === expected.placeId),
        [expected]
      )
    }
    same(yield* eventsSince(other), [changed(other.premises, { entered: 4, left: 0, inside: 4 })])
    yield* proveSnapshot(fixture)
    yield* proveSnapshot(other)
  })

  it("at is when the last change was recorded, and never before the previous event", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    const moments: Array<number> = []
    for (const [enterAt, leaveAt] of [
      [1000, 3000],
      [9000, 8000],
      [500, 600],
      [9001, 20_000]
    ] as const) {
      // What a movement claims does not matter.
      const stay = yield* enter(fixture.premises, { by, now: after(NOW, enterAt), timestamp: after(NOW, -DAY) })
      yield* leave(stay, { by, now: after(NOW, leaveAt), timestamp: after(NOW, -DAY / 2) })
      yield* publish()
      moments.push((yield* readFrom(fixture)).at(-1)!.at - NOW)
    }
    same(moments, [3000, 9000, 9000, 20_000])
  })

  it("changes of a deleted organization are dropped", function* (fixture) {
    const place = yield* aPlace(fixture)
    yield* enter(fixture.premises)
    yield* enter(PlacePremises(place.id))
    yield* deleteOrganization(fixture)
    const { organizations } = yield* publish()
    assert.notInclude(organizations, fixture.id)
  })
}
