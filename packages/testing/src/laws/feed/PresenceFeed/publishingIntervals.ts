/** The laws of publishing intervals: events come at their multiples alone, and no answer says more than the last event. */
import {
  EventGrain,
  historyRows,
  HistoryStore,
  insideOf,
  MusterStore,
  PlacePremises,
  type Premises,
  type PresenceEvent,
  Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { anyOf, integer, oneOf } from "../../../arbitraries/choice.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  changeOrganization,
  countIn,
  enter,
  type Ground,
  leave,
  removed,
  tracks,
  unused
} from "../../shared/fixtures.ts"
import * as musters from "../../shared/musterFixtures.ts"
import { same } from "../../shared/outcome.ts"
import { abandoned, HOUR, rules, TWELVE_HOURS } from "../../policies/StayPolicyStore/fixtures.ts"
import { generated, type Laws } from "../../shared/suite.ts"
import {
  capacityOf,
  changed,
  totalsOf,
  LATER,
  eventsSince,
  proveSnapshot,
  reached,
  readFrom,
  setsCapacity,
  publish,
  versionOf
} from "./fixtures.ts"

/** The interval of the laws: `NOW` is a multiple of it. */
const INTERVAL = 10_000

/** Milliseconds after `NOW`. */
const later = (milliseconds: number) => after(NOW, milliseconds)

/** Publishes all that other laws have left, so that what is left afterwards is this law's. */
const publishRest = publish(after(LATER, HOUR))

/** An anonymous organization with a publishing interval. */
const aCoarseOrganization = Effect.gen(function* () {
  yield* publishRest
  const ground = yield* anOrganization()
  yield* rules(ground, { eventGrain: EventGrain.make(INTERVAL / 1000) })
  return ground
})

const enterAt = (premises: Premises, milliseconds: number) => enter(premises, { now: later(milliseconds) })

/** Whether a publish so many milliseconds after `NOW` published of an organization, and when the rest may be published. */
const publishAt = Effect.fnUntraced(function* ({ organization }: Ground, milliseconds: number) {
  const { organizations, nextAt } = yield* publish(later(milliseconds))
  const next = Option.getOrUndefined(Option.map(nextAt, (at) => at - NOW))
  return [organizations.includes(organization.id), next] as const
})

/** How many are inside of premises by every answer: the counter, the capacity and the last row of the history. */
const answersOf = Effect.fnUntraced(function* (ground: Ground, premises: Premises, milliseconds: number) {
  const range = { step: "minute", from: later(-HOUR), to: later(HOUR) } as const
  const now = later(milliseconds)
  const rows = historyRows(range, yield* HistoryStore.use((store) => store.read(ground.owner, premises, range)), now)
  const { inside } = yield* capacityOf(ground, premises)
  assert.strictEqual(inside, insideOf(yield* totalsOf(ground, premises)))
  assert.strictEqual(yield* countIn(premises, ground), inside)
  // The feed of an organization begins at the time that it is created with, that of a place by the real clock.
  if (premises === ground.premises) assert.isAtMost(rows.at(-1)!.most, Math.max(inside, rows.at(-1)!.entered))
  return inside
})

/** When events were recorded, in milliseconds after `NOW`. */
const timesOf = (events: ReadonlyArray<PresenceEvent>) => events.map(({ at }) => at - NOW)

export const publishingIntervalLaws: Laws = (it, options) => {
  it.effect("publishes at multiples of the interval alone, and answers the published counts until then", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const { premises } = ground
      const stay = yield* enterAt(premises, 1)
      same(yield* publishAt(ground, 20), [false, INTERVAL])
      assert.strictEqual(yield* answersOf(ground, premises, 20), 0)
      yield* enterAt(premises, 7_000)
      same(yield* publishAt(ground, INTERVAL - 1), [false, INTERVAL])
      assert.strictEqual(yield* answersOf(ground, premises, INTERVAL - 1), 0)
      // One more was recorded before the publish, after the multiple.
      yield* enterAt(premises, INTERVAL + 1)
      same(yield* publishAt(ground, INTERVAL + 2), [true, 2 * INTERVAL])
      assert.strictEqual(yield* answersOf(ground, premises, INTERVAL + 2), 2)
      yield* leave(stay, { now: later(2 * INTERVAL) })
      same(yield* publishAt(ground, 2 * INTERVAL - 1), [false, 2 * INTERVAL])
      same(yield* publishAt(ground, 3 * INTERVAL - 1), [true, undefined])
      assert.strictEqual(yield* answersOf(ground, premises, 3 * INTERVAL), 2)
      yield* enterAt(premises, 3 * INTERVAL)
      // Nothing else is published at the multiple at which these premises were published.
      same(yield* publishAt(ground, 3 * INTERVAL), [true, undefined])
      yield* enterAt(premises, 3 * INTERVAL)
      same(yield* publishAt(ground, 3 * INTERVAL + 1), [false, 4 * INTERVAL])
      const events = yield* readFrom(ground)
      same(timesOf(events), [INTERVAL, 2 * INTERVAL, 3 * INTERVAL])
      same(yield* eventsSince(ground), [
        changed(premises, 2, 0, 2),
        changed(premises, 1, 1, 2),
        changed(premises, 1, 0, 3)
      ])
      yield* publishRest
      yield* proveSnapshot(ground)
    })
  )

  it.effect("publishes premises in the order of their ids, not in that of their movements", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const [one, two] = [PlacePremises((yield* aPlace(ground)).id), PlacePremises((yield* aPlace(ground)).id)]
      const before = yield* versionOf(ground)
      for (const [n, premises] of [two, one, ground.premises].entries()) yield* enterAt(premises, 1 + n)
      same(yield* publishAt(ground, INTERVAL), [true, undefined])
      same(
        yield* eventsSince(ground, before),
        [ground.premises, one, two].map((premises) => changed(premises, 1, 0, 1))
      )
    })
  )

  it.effect(
    "the default of anonymous organizations, less than 2 seconds, and authenticated ones have exact counts",
    () =>
      Effect.gen(function* () {
        const ground = yield* aCoarseOrganization
        const { premises, organization } = ground
        yield* enterAt(premises, 1)
        const counts: Array<number> = []
        for (const seconds of [null, 60, 1, 2, 0]) {
          yield* rules(ground, { eventGrain: seconds === null ? null : EventGrain.make(seconds) })
          counts.push(yield* countIn(premises, ground))
          assert.strictEqual((yield* capacityOf(ground, premises)).inside, counts.at(-1))
        }
        same(counts, [1, 0, 1, 0, 1])
        yield* rules(ground, { eventGrain: EventGrain.make(60) })
        yield* tracks(organization.id, "authenticated")
        assert.strictEqual(yield* countIn(premises, ground), 1)
        yield* tracks(organization.id, "anonymous")
        assert.strictEqual(yield* countIn(premises, ground), 0)
        // Another interval holds for what is recorded already, and without one it is published at once.
        yield* rules(ground, { eventGrain: EventGrain.make(20) })
        same(yield* publishAt(ground, INTERVAL), [false, 20_000])
        yield* rules(ground, { eventGrain: null })
        same(yield* publishAt(ground, INTERVAL), [true, undefined])
      })
  )

  it.effect("one reading of many counters has published counts of some organizations and exact ones of others", () =>
    Effect.gen(function* () {
      const grounds = [yield* aCoarseOrganization, yield* anOrganization(), yield* aCoarseOrganization]
      for (const [n, { premises }] of grounds.entries()) {
        for (let entered = 0; entered <= n; entered++) yield* enterAt(premises, 1)
      }
      const counts = yield* Effect.all(
        grounds.flatMap((ground) => [countIn(ground.premises, ground), countIn(ground.premises, ground)]),
        { concurrency: "unbounded" }
      )
      same(counts, [0, 0, 2, 2, 0, 0])
      yield* publishRest
      same(yield* Effect.all(grounds.map((ground) => countIn(ground.premises, ground))), [1, 2, 3])
    })
  )

  it.effect("a capacity that is set or lifted publishes its level at the next multiple, once", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const { premises } = ground
      const two = { capacity: 2, warnAt: 1 }
      for (let n = 0; n < 2; n++) yield* enterAt(premises, 1)
      same(yield* publishAt(ground, INTERVAL), [true, undefined])
      const before = yield* versionOf(ground)
      yield* enterAt(premises, INTERVAL + 1)
      const set = yield* setsCapacity(ground, premises, two, later(INTERVAL + 2))
      same([set.inside, set.level], [2, "full"])
      same(yield* capacityOf(ground, premises), set)
      same(yield* publishAt(ground, INTERVAL + 3), [false, 2 * INTERVAL])
      same(yield* eventsSince(ground, before), [])
      same(yield* publishAt(ground, 2 * INTERVAL), [true, undefined])
      // Where nobody moves.
      same((yield* setsCapacity(ground, premises, undefined, later(2 * INTERVAL + 1))).level, "none")
      same(yield* publishAt(ground, 3 * INTERVAL - 1), [false, 3 * INTERVAL])
      same(yield* publishAt(ground, 3 * INTERVAL), [true, undefined])
      // Set and lifted between two multiples: there is nothing to publish.
      yield* setsCapacity(ground, premises, two, later(3 * INTERVAL + 1))
      yield* setsCapacity(ground, premises, undefined, later(3 * INTERVAL + 2))
      same(yield* publishAt(ground, 4 * INTERVAL), [false, undefined])
      const events = yield* readFrom(ground, before)
      same(
        events.map(({ at, _tag }) => [at - NOW, _tag]),
        [
          [2 * INTERVAL, "PresenceChanged"],
          [2 * INTERVAL, "CapacityChanged"],
          [3 * INTERVAL, "CapacityChanged"]
        ]
      )
      same((yield* eventsSince(ground, before)).slice(1), [
        reached(premises, "over", 3, 2),
        reached(premises, "none", 3)
      ])
      yield* proveSnapshot(ground)
    })
  )

  it.effect("what is due is published before any other event, which else would hold it up", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const { organization, premises } = ground
      yield* enterAt(premises, 1)
      yield* setsCapacity(ground, premises, { capacity: 1, warnAt: 1 }, later(2))
      // By the real clock, which is later.
      yield* changeOrganization(organization.id, (one) => ({ ...one, name: unused("renamed") }))
      const [presence, capacity, events, ...none] = yield* readFrom(ground)
      same(
        [presence?._tag, capacity?._tag, events?._tag],
        ["PresenceChanged", "CapacityChanged", "OrganizationChanged"]
      )
      same(none, [])
      for (const { at } of [presence!, capacity!]) assert.strictEqual(at % INTERVAL, 0)
      assert.isAtLeast(events!.at, presence!.at)
    })
  )

  it.effect("the end of a place publishes its people at once, and other ends of stays at the next multiple", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const place = yield* aPlace(ground)
      const premises = PlacePremises(place.id)
      yield* rules(ground, { longestStay: TWELVE_HOURS })
      yield* enterAt(premises, 1)
      yield* enterAt(ground.premises, 1)
      same(yield* publishAt(ground, INTERVAL), [true, undefined])
      yield* enterAt(premises, INTERVAL + 1)
      const before = yield* versionOf(ground)
      yield* removed(ground, place)
      const [due, presence, events] = yield* readFrom(ground, before)
      same(yield* eventsSince(ground, before), [
        changed(premises, 1, 0, 2),
        changed(premises, 0, 2, 0),
        { _tag: "PlaceChanged", placeId: place.id, changed: "deleted" }
      ])
      same([due!.at % INTERVAL, presence!.at % INTERVAL], [0, 0])
      assert.isAtLeast(events!.at, presence!.at)
      const late = 13 * HOUR + 1
      assert.strictEqual(yield* abandoned(ground, later(late)), 1)
      assert.strictEqual(yield* countIn(ground.premises, ground), 1)
      const next = Math.ceil(late / INTERVAL) * INTERVAL
      same(yield* publishAt(ground, next - 1), [false, next])
      same(yield* publishAt(ground, next), [true, undefined])
      assert.strictEqual(yield* countIn(ground.premises, ground), 0)
      yield* proveSnapshot(ground)
    })
  )

  it.effect("a muster counts who was inside and who left by events", () =>
    Effect.gen(function* () {
      const ground = yield* aCoarseOrganization
      const { organization, owner, premises } = ground
      const store = yield* MusterStore
      const stay = yield* enterAt(premises, 1)
      yield* enterAt(premises, 1)
      same(yield* publishAt(ground, INTERVAL), [true, undefined])
      // Some adapters take the times of other events from the real clock: the rest happens by it.
      const present = yield* Clock.currentTimeMillis
      const { id } = yield* store.start({
        organizationId: organization.id,
        administratorId: owner,
        kind: "drill",
        note: undefined,
        now: Timestamp(present)
      })
      const numbers = Effect.map(musters.get(ground, id), ({ inside, left, missing }) => [inside, left, missing])
      same(yield* numbers, [2, 0, 2])
      yield* leave(stay, { now: Timestamp(present + 2 * INTERVAL) })
      yield* enter(premises, { now: Timestamp(present + 2 * INTERVAL) })
      same(yield* numbers, [2, 0, 2])
      yield* publish(Timestamp(present + 3 * INTERVAL))
      same(yield* numbers, [2, 1, 1])
      yield* musters.end(ground, id, later(3 * INTERVAL))
      same(yield* numbers, [2, 1, 1])
    })
  )

  it.effect.prop(
    "whatever is recorded when, and by whichever clock, events have multiples as their times and no answer says more",
    {
      seconds: anyOf([2, 3, 7, 60]),
      happenings: Arbitrary.array(
        Arbitrary.all({
          wait: oneOf(integer(0, 40), integer(0, 4_000), anyOf([1_999, 2_000, 60_000])),
          entering: integer(0, 2),
          /** How far the clock that records is ahead. */
          ahead: anyOf([0, 0, 0, 1, -1, 700, -1_500]),
          publishes: anyOf([true, true, false])
        }),
        { minLength: 4, maxLength: 20 }
      )
    },
    ({ seconds, happenings }) =>
      Effect.gen(function* () {
        yield* publishRest
        const ground = yield* anOrganization()
        yield* rules(ground, { eventGrain: EventGrain.make(seconds) })
        const interval = seconds * 1000
        let moment = 0
        let published = { at: -Infinity, inside: 0 }
        const recorded: Array<number> = []
        for (const { wait, entering, ahead, publishes } of happenings) {
          moment += wait
          for (let n = 0; n < entering; n++) {
            yield* enterAt(ground.premises, moment + ahead)
            recorded.push(moment + ahead)
          }
          const multiple = Math.floor((NOW + moment) / interval) * interval - NOW
          if (publishes) {
            const { organizations } = yield* publish(later(moment))
            const until = recorded.filter((at) => at <= multiple).length
            const isDue = multiple > published.at && until > published.inside
            assert.strictEqual(organizations.includes(ground.organization.id), isDue)
            if (isDue) published = { at: multiple, inside: until }
          }
          assert.strictEqual(yield* countIn(ground.premises, ground), published.inside)
        }
        yield* publishRest
        assert.strictEqual(yield* countIn(ground.premises, ground), recorded.length)
        const at = (yield* readFrom(ground)).map((event) => event.at)
        for (const [n, one] of at.entries()) {
          assert.strictEqual(one % interval, 0)
          if (n > 0) assert.isAtLeast(one - at[n - 1]!, interval)
        }
        yield* proveSnapshot(ground)
      }),
    generated(options)
  )
}
