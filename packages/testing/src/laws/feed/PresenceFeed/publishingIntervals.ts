/** The laws of publishing intervals: events come at their multiples alone, and no answer says more than the last event. */
import {
  EventGrain,
  historyRange,
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
import { Arbitrary, Clock, Effect, Result } from "effect"
import { anyOf, integer, oneOf } from "../../../arbitraries/choice.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aLinkedPerson,
  anOrganization,
  aPlace,
  changeOrganization,
  countIn,
  enter,
  type OrganizationFixture,
  leave,
  removePlace,
  setTrackingMode,
  unused,
  aPlaceToEnter
} from "../../shared/fixtures.ts"
import * as musters from "../../shared/musters.ts"
import { same, concurrently } from "../../shared/outcome.ts"
import { abandonBatch, HOUR, changePolicy, TWELVE_HOURS } from "../../shared/policies.ts"
import { type Laws } from "../../shared/suite.ts"
import {
  capacityOf,
  changed,
  totalsOf,
  eventsSince,
  proveSnapshot,
  reached,
  readFrom,
  setCapacity,
  publish,
  versionOf,
  publishRest,
  publishAt
} from "../../shared/presenceFeed.ts"

/** The interval of the laws: `NOW` is a multiple of it. */
const INTERVAL = 10_000

const later = (milliseconds: number) => after(NOW, milliseconds)

const anIntervalOrganization = Effect.gen(function* () {
  yield* publishRest
  const fixture = yield* anOrganization()
  yield* changePolicy(fixture, { eventGrain: EventGrain.make(INTERVAL / 1000) })
  return fixture
})

const enterAt = (premises: Premises, milliseconds: number) => enter(premises, { now: later(milliseconds) })

/** How many are inside of premises by every answer: the counter, the capacity and the last row of the history. */
const answersOf = Effect.fnUntraced(function* (fixture: OrganizationFixture, premises: Premises, milliseconds: number) {
  const range = Result.getOrThrow(historyRange({ step: "minute", from: later(-HOUR), to: later(HOUR) }))
  const now = later(milliseconds)
  const rows = historyRows(range, yield* HistoryStore.use((store) => store.read(fixture.owner, premises, range)), now)
  const { inside } = yield* capacityOf(fixture, premises)
  assert.strictEqual(inside, insideOf(yield* totalsOf(fixture, premises)))
  assert.strictEqual(yield* countIn(premises, fixture), inside)
  // The feed of an organization begins at the time that it is created with, that of a place by the real clock.
  if (premises === fixture.premises) assert.isAtMost(rows.at(-1)!.most, Math.max(inside, rows.at(-1)!.entered))
  return inside
})

/** When events were recorded, in milliseconds after `NOW`. */
const timesOf = (events: ReadonlyArray<PresenceEvent>) => events.map(({ at }) => at - NOW)

export const publishingIntervalLaws: Laws = (it) => {
  it("publishes at multiples of the interval alone, and answers the published counts until then", function* () {
    const fixture = yield* anIntervalOrganization
    const { premises } = fixture
    const stay = yield* enterAt(premises, 1)
    same(yield* publishAt(fixture, 20), [false, INTERVAL])
    assert.strictEqual(yield* answersOf(fixture, premises, 20), 0)
    yield* enterAt(premises, 7_000)
    same(yield* publishAt(fixture, INTERVAL - 1), [false, INTERVAL])
    assert.strictEqual(yield* answersOf(fixture, premises, INTERVAL - 1), 0)
    // One more was recorded before the publish, after the multiple.
    yield* enterAt(premises, INTERVAL + 1)
    same(yield* publishAt(fixture, INTERVAL + 2), [true, 2 * INTERVAL])
    assert.strictEqual(yield* answersOf(fixture, premises, INTERVAL + 2), 2)
    yield* leave(stay, { now: later(2 * INTERVAL) })
    same(yield* publishAt(fixture, 2 * INTERVAL - 1), [false, 2 * INTERVAL])
    same(yield* publishAt(fixture, 3 * INTERVAL - 1), [true, undefined])
    assert.strictEqual(yield* answersOf(fixture, premises, 3 * INTERVAL), 2)
    yield* enterAt(premises, 3 * INTERVAL)
    // Nothing else is published at the multiple at which these premises were published.
    same(yield* publishAt(fixture, 3 * INTERVAL), [true, undefined])
    yield* enterAt(premises, 3 * INTERVAL)
    same(yield* publishAt(fixture, 3 * INTERVAL + 1), [false, 4 * INTERVAL])
    const events = yield* readFrom(fixture)
    same(timesOf(events), [INTERVAL, 2 * INTERVAL, 3 * INTERVAL])
    same(yield* eventsSince(fixture), [
      changed(premises, { entered: 2, left: 0, inside: 2 }),
      changed(premises, { entered: 1, left: 1, inside: 2 }),
      changed(premises, { entered: 1, left: 0, inside: 3 })
    ])
    yield* publishRest
    yield* proveSnapshot(fixture)
  })

  it("publishes premises in the order of their ids, not in that of their movements", function* () {
    const fixture = yield* anIntervalOrganization
    const [one, two] = [PlacePremises((yield* aPlace(fixture)).id), PlacePremises((yield* aPlace(fixture)).id)]
    const before = yield* versionOf(fixture)
    for (const [n, premises] of [two, one, fixture.premises].entries()) yield* enterAt(premises, 1 + n)
    same(yield* publishAt(fixture, INTERVAL), [true, undefined])
    same(
      yield* eventsSince(fixture, before),
      [fixture.premises, one, two].map((premises) => changed(premises, { entered: 1, left: 0, inside: 1 }))
    )
  })

  it("the default of anonymous organizations, less than 2 seconds, and authenticated ones have exact counts", function* () {
    const fixture = yield* anIntervalOrganization
    const { premises } = fixture
    const known = yield* anOrganization({ trackingMode: "authenticated" })
    yield* changePolicy(known, { eventGrain: EventGrain.make(60) })
    const { user } = yield* aLinkedPerson(known)
    yield* enter(known.premises, { by: user, now: NOW })
    assert.strictEqual(yield* countIn(known.premises, known), 1)
    yield* publishRest
    yield* enterAt(premises, 1)
    const counts: Array<number> = []
    for (const seconds of [null, 60, 1, 2, 0]) {
      yield* changePolicy(fixture, { eventGrain: seconds === null ? null : EventGrain.make(seconds) })
      counts.push(yield* countIn(premises, fixture))
      assert.strictEqual((yield* capacityOf(fixture, premises)).inside, counts.at(-1))
    }
    same(counts, [1, 0, 1, 0, 1])
    // Another interval holds for what is recorded already, and without one it is published at once.
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(20) })
    same(yield* publishAt(fixture, INTERVAL), [false, 20_000])
    yield* changePolicy(fixture, { eventGrain: null })
    same(yield* publishAt(fixture, INTERVAL), [true, undefined])
  })

  it("an organization that is anonymous no longer keeps its interval, until its operator lifts it", function* () {
    const fixture = yield* anIntervalOrganization
    const { premises, organization } = fixture
    // A change of the mode publishes what is due by the real clock.
    const soon = Timestamp(Math.ceil((yield* Clock.currentTimeMillis) / INTERVAL) * INTERVAL + INTERVAL)
    const stay = yield* enter(premises, { now: after(soon, 1) })
    for (const mode of ["authenticated", "anonymous", "authenticated"] as const) {
      yield* setTrackingMode(organization.id, mode)
      assert.strictEqual(yield* answersOf(fixture, premises, HOUR), 0)
    }
    const before = yield* versionOf(fixture)
    yield* publish(after(soon, INTERVAL - 1))
    assert.strictEqual(yield* countIn(premises, fixture), 0)
    yield* publish(after(soon, INTERVAL))
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* leave(stay, { now: after(soon, INTERVAL + 1) })
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* changePolicy(fixture, { eventGrain: null })
    assert.strictEqual(yield* countIn(premises, fixture), 0)
    yield* publish(after(soon, 3 * INTERVAL))
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 1, left: 0, inside: 1 }),
      changed(premises, { entered: 0, left: 1, inside: 0 })
    ])
  })

  it("one reading of many counters has published counts of some organizations and exact ones of others", function* () {
    const fixtures = [yield* anIntervalOrganization, yield* anOrganization(), yield* anIntervalOrganization]
    for (const [n, { premises }] of fixtures.entries()) {
      for (let entered = 0; entered <= n; entered++) yield* enterAt(premises, 1)
    }
    const counts = yield* concurrently(
      fixtures.flatMap((fixture) => [countIn(fixture.premises, fixture), countIn(fixture.premises, fixture)])
    )
    same(counts, [0, 0, 2, 2, 0, 0])
    yield* publishRest
    same(yield* Effect.all(fixtures.map((fixture) => countIn(fixture.premises, fixture))), [1, 2, 3])
  })

  it("a capacity that is set or lifted publishes its level at the next multiple, once", function* () {
    const fixture = yield* anIntervalOrganization
    const { premises } = fixture
    const two = { capacity: 2, warnAt: 1 }
    for (let n = 0; n < 2; n++) yield* enterAt(premises, 1)
    same(yield* publishAt(fixture, INTERVAL), [true, undefined])
    const before = yield* versionOf(fixture)
    yield* enterAt(premises, INTERVAL + 1)
    const set = yield* setCapacity(fixture, premises, two, later(INTERVAL + 2))
    same([set.inside, set.level], [2, "full"])
    same(yield* capacityOf(fixture, premises), set)
    same(yield* publishAt(fixture, INTERVAL + 3), [false, 2 * INTERVAL])
    same(yield* eventsSince(fixture, before), [])
    same(yield* publishAt(fixture, 2 * INTERVAL), [true, undefined])
    // Without any movement.
    same((yield* setCapacity(fixture, premises, undefined, later(2 * INTERVAL + 1))).level, "none")
    same(yield* publishAt(fixture, 3 * INTERVAL - 1), [false, 3 * INTERVAL])
    same(yield* publishAt(fixture, 3 * INTERVAL), [true, undefined])
    // Set and lifted between two multiples: there is nothing to publish.
    yield* setCapacity(fixture, premises, two, later(3 * INTERVAL + 1))
    yield* setCapacity(fixture, premises, undefined, later(3 * INTERVAL + 2))
    same(yield* publishAt(fixture, 4 * INTERVAL), [false, undefined])
    const events = yield* readFrom(fixture, before)
    same(
      events.map(({ at, _tag }) => [at - NOW, _tag]),
      [
        [2 * INTERVAL, "PresenceChanged"],
        [2 * INTERVAL, "CapacityChanged"],
        [3 * INTERVAL, "CapacityChanged"]
      ]
    )
    same((yield* eventsSince(fixture, before)).slice(1), [
      reached(premises, { level: "over", inside: 3, capacity: 2 }),
      reached(premises, { level: "none", inside: 3 })
    ])
    yield* proveSnapshot(fixture)
  })

  it("what is due is published before any other event, which else would hold it up", function* () {
    const fixture = yield* anIntervalOrganization
    const { organization, premises } = fixture
    yield* enterAt(premises, 1)
    yield* setCapacity(fixture, premises, { capacity: 1, warnAt: 1 }, later(2))
    // By the real clock, which is later.
    const name = unused("renamed")
    yield* changeOrganization(organization.id, (one) => ({ ...one, name }))
    const [presence, capacity, events, ...none] = yield* readFrom(fixture)
    same([presence?._tag, capacity?._tag, events?._tag], ["PresenceChanged", "CapacityChanged", "OrganizationChanged"])
    same(none, [])
    for (const { at } of [presence!, capacity!]) assert.strictEqual(at % INTERVAL, 0)
    assert.isAtLeast(events!.at, presence!.at)
  })

  it("the end of a place publishes its people at once, and other ends of stays at the next multiple", function* () {
    const fixture = yield* anIntervalOrganization
    const { place, premises } = yield* aPlaceToEnter(fixture)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* enterAt(premises, 1)
    yield* enterAt(fixture.premises, 1)
    same(yield* publishAt(fixture, INTERVAL), [true, undefined])
    yield* enterAt(premises, INTERVAL + 1)
    const before = yield* versionOf(fixture)
    yield* removePlace(fixture, place)
    const [due, presence, events] = yield* readFrom(fixture, before)
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 1, left: 0, inside: 2 }),
      changed(premises, { entered: 0, left: 2, inside: 0 }),
      { _tag: "PlaceChanged", placeId: place.id, changed: "deleted" }
    ])
    same([due!.at % INTERVAL, presence!.at % INTERVAL], [0, 0])
    assert.isAtLeast(events!.at, presence!.at)
    const late = 13 * HOUR + 1
    assert.strictEqual(yield* abandonBatch(fixture, later(late)), 1)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    const next = Math.ceil(late / INTERVAL) * INTERVAL
    same(yield* publishAt(fixture, next - 1), [false, next])
    same(yield* publishAt(fixture, next), [true, undefined])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    yield* proveSnapshot(fixture)
  })

  it("a muster counts who was inside, came in and left by events", function* () {
    const fixture = yield* anIntervalOrganization
    const { organization, owner, premises } = fixture
    const store = yield* MusterStore
    const stay = yield* enterAt(premises, 1)
    yield* enterAt(premises, 1)
    same(yield* publishAt(fixture, INTERVAL), [true, undefined])
    // Some adapters take the times of other events from the real clock: the rest happens by it.
    const present = yield* Clock.currentTimeMillis
    const { id } = yield* store.start({
      organizationId: organization.id,
      administratorId: owner,
      kind: "drill",
      note: undefined,
      now: Timestamp(present)
    })
    const numbers = Effect.map(musters.get(fixture, id), ({ inside, left, missing }) => [inside, left, missing])
    same(yield* numbers, [2, 0, 2])
    yield* leave(stay, { now: Timestamp(present + 2 * INTERVAL) })
    yield* enter(premises, { now: Timestamp(present + 2 * INTERVAL) })
    same(yield* numbers, [2, 0, 2])
    yield* publish(Timestamp(present + 3 * INTERVAL))
    same(yield* numbers, [3, 1, 2])
    yield* musters.end(fixture, id, later(3 * INTERVAL))
    same(yield* numbers, [3, 1, 2])
  })

  it.prop(
    "whatever is recorded when, and by whichever clock, events have multiples as their times and no answer says more",
    {
      seconds: anyOf([2, 3, 7, 60]),
      steps: Arbitrary.array(
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
    function* ({ seconds, steps }) {
      yield* publishRest
      const fixture = yield* anOrganization()
      yield* changePolicy(fixture, { eventGrain: EventGrain.make(seconds) })
      const interval = seconds * 1000
      let moment = 0
      let published = { at: -Infinity, inside: 0 }
      const recorded: Array<number> = []
      for (const { wait, entering, ahead, publishes } of steps) {
        moment += wait
        for (let n = 0; n < entering; n++) {
          yield* enterAt(fixture.premises, moment + ahead)
          recorded.push(moment + ahead)
        }
        const multiple = Math.floor((NOW + moment) / interval) * interval - NOW
        if (publishes) {
          const { organizations } = yield* publish(later(moment))
          const until = recorded.filter((at) => at <= multiple).length
          const isDue = multiple > published.at && until > published.inside
          assert.strictEqual(organizations.includes(fixture.id), isDue)
          if (isDue) published = { at: multiple, inside: until }
        }
        assert.strictEqual(yield* countIn(fixture.premises, fixture), published.inside)
      }
      yield* publishRest
      assert.strictEqual(yield* countIn(fixture.premises, fixture), recorded.length)
      const at = (yield* readFrom(fixture)).map((event) => event.at)
      for (const [n, one] of at.entries()) {
        assert.strictEqual(one % interval, 0)
        if (n > 0) assert.isAtLeast(one - at[n - 1]!, interval)
      }
      yield* proveSnapshot(fixture)
    }
  )
}
