/** The laws of the feed on what is recorded, and how it is published. */
import { PersonSubject, PlacePremises, type RetryKey, type Timestamp } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  countIn,
  deleted,
  enter,
  leave,
  ONE,
  premisesOf,
  unused
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import { erase } from "../../personalData/PersonalDataStore/residents.ts"
import { abandoned, DAY, forgotten, NINETY_DAYS, rules, TWELVE_HOURS } from "../../policies/StayPolicyStore/fixtures.ts"
import {
  changed,
  totalsOf,
  eventsSince,
  eventDataOf,
  proveSnapshot,
  readFrom,
  setsCapacity,
  publish,
  versionOf
} from "./fixtures.ts"
import type { Laws } from "../../shared/suite.ts"

/** A time after the beginning of every feed, which an adapter may take from the real clock. */
const tomorrow = Effect.map(Clock.currentTimeMillis, (now) => after(now as Timestamp, DAY))

export const feedMovementLaws: Laws = (it) => {
  it.effect(
    "premises are published in the order in which they were recorded, then the organization before its places",
    () =>
      Effect.gen(function* () {
        const { ground, premises: place } = yield* premisesOf("place")
        const whole = ground.premises
        const before = yield* versionOf(ground)
        const at = yield* tomorrow
        yield* enter(whole, { now: after(at, 2) })
        yield* enter(place, { now: after(at, 1) })
        yield* publish(after(at, DAY))
        yield* enter(place, { now: after(at, 3) })
        yield* enter(whole, { now: after(at, 3) })
        yield* publish(after(at, 2 * DAY))
        const events = yield* readFrom(ground, before)
        const one = [changed(place, 1, 0, 1), changed(whole, 1, 0, 1)]
        const instant = [changed(whole, 1, 0, 2), changed(place, 1, 0, 2)]
        same(events.map(eventDataOf), [...one, ...instant])
        const times = events.map((event) => event.at - at)
        same(times, [1, 2, 3, 3])
      })
  )

  it.effect("a capacity that stays as it was leaves what is published later at its time", () =>
    Effect.gen(function* () {
      const { ground, premises: place } = yield* premisesOf("place")
      const before = yield* versionOf(ground)
      const at = yield* tomorrow
      yield* enter(place, { now: at })
      yield* setsCapacity(ground, ground.premises, undefined, after(at, 5000))
      yield* publish(after(at, DAY))
      const events = yield* readFrom(ground, before)
      const times = events.map((event) => event.at - at)
      same(times, [0])
    })
  )

  for (const kind of ["organization", "place"] as const) {
    it.effect(`movements of ${ONE[kind]} before a publish are one event`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const before = yield* versionOf(ground)
        const opened = yield* Effect.all(times(5, () => enter(premises)))
        yield* Effect.forEach(opened.slice(0, 2), (stay) => leave(stay))
        same(yield* eventsSince(ground, before), [])
        assert.include((yield* publish()).organizations, ground.organization.id)
        same(yield* eventsSince(ground, before), [changed(premises, 5, 2, 3)])
        assert.notInclude((yield* publish()).organizations, ground.organization.id)
        same(yield* eventsSince(ground, before), [changed(premises, 5, 2, 3)])
        yield* Effect.forEach(opened.slice(2), (stay) => leave(stay))
        yield* publish(after(NOW, 2 * DAY))
        same(yield* eventsSince(ground, before), [changed(premises, 5, 2, 3), changed(premises, 0, 3, 0)])
        yield* proveSnapshot(ground)
      })
    )

    it.effect(`an entrance and an exit of ${ONE[kind]} before a publish are an event, too`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const before = yield* versionOf(ground)
        yield* Effect.flatMap(enter(premises), (stay) => leave(stay))
        yield* publish()
        same(yield* eventsSince(ground, before), [changed(premises, 1, 1, 0)])
      })
    )

    it.effect(`a retried entrance into ${ONE[kind]} and a repeated exit add no event`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const key = unused("retry") as RetryKey
        const stay = yield* enter(premises, { key })
        yield* enter(premises, { key })
        yield* leave(stay, { timestamp: NOW })
        yield* publish()
        const before = yield* versionOf(ground)
        yield* enter(premises, { key })
        yield* leave(stay, { timestamp: NOW })
        assert.notInclude((yield* publish(after(NOW, DAY))).organizations, ground.organization.id)
        same(yield* eventsSince(ground, before), [])
        const { entered, left } = yield* totalsOf(ground, premises)
        same([entered, left], [1, 1])
      })
    )

    it.effect(`refused movements of ${ONE[kind]} add no event`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const stay = yield* enter(premises, { timestamp: NOW })
        const left = yield* enter(premises, { timestamp: NOW })
        yield* leave(left, { timestamp: NOW })
        yield* publish()
        const before = yield* versionOf(ground)
        yield* refused(enter(premises, { timestamp: after(NOW, DAY) }), "TimestampInFuture")
        yield* refused(leave(stay, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance")
        yield* refused(leave(left, { timestamp: after(NOW, 1) }), "ExitNotMatched")
        yield* publish(after(NOW, DAY))
        same(yield* eventsSince(ground, before), [])
      })
    )

    it.effect(`a second entrance of a person inside ${ONE[kind]} adds no event`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind, { trackingMode: "authenticated" })
        const by = yield* aUserLinkedTo(ground.organization.id, aPerson())
        const before = yield* versionOf(ground)
        const stay = yield* enter(premises, { by })
        yield* enter(premises, { by })
        yield* refused(enter(premises), "NotLinked")
        yield* publish()
        yield* enter(premises, { by })
        yield* publish()
        yield* leave(stay, { by })
        yield* publish()
        same(yield* eventsSince(ground, before), [changed(premises, 1, 0, 1), changed(premises, 0, 1, 0)])
      })
    )

    it.effect(`abandoned stays of ${ONE[kind]} count as left, and forgotten accesses add no event`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        yield* rules(ground, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
        yield* Effect.flatMap(enter(premises), (stay) => leave(stay))
        yield* Effect.all(times(4, () => enter(premises)))
        yield* enter(premises, { now: after(NOW, DAY) })
        yield* publish(after(NOW, DAY))
        const before = yield* versionOf(ground)
        assert.strictEqual(yield* abandoned(ground, after(NOW, DAY)), 4)
        yield* publish(after(NOW, 2 * DAY))
        same(yield* eventsSince(ground, before), [changed(premises, 0, 4, 1)])
        assert.strictEqual(yield* forgotten(ground, after(NOW, 100 * DAY)), 1)
        yield* publish(after(NOW, 100 * DAY))
        same(yield* eventsSince(ground, before), [changed(premises, 0, 4, 1)])
        yield* proveSnapshot(ground)
      })
    )

    it.effect(
      `the erasure of a person inside ${ONE[kind]} counts as left, and that of their accesses adds no event`,
      () =>
        Effect.gen(function* () {
          const { ground, premises } = yield* premisesOf(kind, { trackingMode: "authenticated" })
          const [inside, outside] = [aPerson(), aPerson()]
          for (const person of [inside, outside, aPerson()]) {
            const by = yield* aUserLinkedTo(ground.organization.id, person)
            const stay = yield* enter(premises, { by })
            if (person === outside) yield* leave(stay, { by })
          }
          yield* publish()
          const before = yield* versionOf(ground)
          yield* erase(PersonSubject(ground.organization.id, outside))
          yield* publish()
          same(yield* eventsSince(ground, before), [])
          yield* erase(PersonSubject(ground.organization.id, inside))
          yield* publish()
          same(yield* eventsSince(ground, before), [changed(premises, 0, 1, 1)])
          assert.strictEqual(yield* countIn(premises, ground), 1)
          yield* proveSnapshot(ground)
        })
    )
  }

  it.effect("each premises has events of its own", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const [place, second] = [yield* aPlace(ground), yield* aPlace(ground)]
      const [inPlace, inSecond] = [PlacePremises(place.id), PlacePremises(second.id)]
      for (const [premises, count] of [
        [ground.premises, 1],
        [inPlace, 2],
        [inSecond, 3],
        [other.premises, 4]
      ] as const) {
        yield* Effect.all(times(count, () => enter(premises)))
      }
      const before = yield* versionOf(ground)
      const { organizations } = yield* publish()
      assert.strictEqual(new Set(organizations).size, organizations.length)
      assert.includeMembers([...organizations], [ground.organization.id, other.organization.id])
      const events = yield* eventsSince(ground, before)
      assert.strictEqual(events.length, 3)
      for (const expected of [
        changed(ground.premises, 1, 0, 1),
        changed(inPlace, 2, 0, 2),
        changed(inSecond, 3, 0, 3)
      ]) {
        same(
          events.filter((one) => "placeId" in one && one.placeId === expected.placeId),
          [expected]
        )
      }
      same(yield* eventsSince(other), [changed(other.premises, 4, 0, 4)])
      yield* proveSnapshot(ground)
      yield* proveSnapshot(other)
    })
  )

  it.effect("at is when the last change was recorded, and never before the previous event", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization({ trackingMode: "authenticated" })
      const by = yield* aUserLinkedTo(ground.organization.id, aPerson())
      const moments: Array<number> = []
      for (const [enterAt, leaveAt] of [
        [1000, 3000],
        [9000, 8000],
        [500, 600],
        [9001, 20_000]
      ] as const) {
        // What a movement claims does not matter.
        const stay = yield* enter(ground.premises, { by, now: after(NOW, enterAt), timestamp: after(NOW, -DAY) })
        yield* leave(stay, { by, now: after(NOW, leaveAt), timestamp: after(NOW, -DAY / 2) })
        yield* publish()
        moments.push((yield* readFrom(ground)).at(-1)!.at - NOW)
      }
      same(moments, [3000, 9000, 9000, 20_000])
    })
  )

  it.effect("changes of a deleted organization are dropped", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      yield* enter(ground.premises)
      yield* enter(PlacePremises(place.id))
      yield* deleted(ground)
      const { organizations } = yield* publish()
      assert.notInclude(organizations, ground.organization.id)
    })
  )
}
