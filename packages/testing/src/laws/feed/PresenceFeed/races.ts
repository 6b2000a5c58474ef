/** The laws of the feed on what happens at one moment: publishes, movements, and whatever else ends stays. */
import { EventGrain, type Opened, PersonSubject, PlacePremises, type PresenceEvent, type Premises } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  changePlace,
  aUserLinkedTo,
  countIn,
  deleteOrganization,
  enter,
  type OrganizationFixture,
  leave,
  premisesOf,
  removePlace,
  aPlaceToEnter
} from "../../shared/fixtures.ts"
import { race, same, times, concurrently } from "../../shared/outcome.ts"
import { erase } from "../../shared/personalData.ts"
import { abandonBatch, DAY, changePolicy, TWELVE_HOURS } from "../../shared/policies.ts"
import {
  pageOf,
  placeIdOf,
  proveSnapshot,
  readFrom,
  setCapacity,
  sumsOf,
  publish,
  versionOf
} from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"

/** Many publishes at one moment, each a day later than the one before. */
const publishes = (count: number) => times(count, (n) => Effect.asVoid(publish(after(NOW, n * DAY))))

/** No interval, so that every publish publishes what is recorded. */
const atOnce = (fixture: OrganizationFixture) => changePolicy(fixture, { eventGrain: EventGrain.make(0) })

/** How many entered and left some premises by the events of their organization. */
const totalsOf = (events: ReadonlyArray<PresenceEvent>, premises: Premises) => {
  const { entered, left } = sumsOf(events).get(placeIdOf(premises))!
  return [entered, left]
}

export const feedRaceLaws: Laws = (it) => {
  it("concurrent publishes publish each movement of a place once", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* atOnce(fixture)
    for (let round = 1; round <= 5; round++) {
      const opened = yield* concurrently(times(30, () => enter(premises)))
      yield* concurrently(publishes(8))
      yield* concurrently([...opened.slice(0, 20).map((stay) => Effect.asVoid(leave(stay))), ...publishes(8)])
      yield* publish()
      same(totalsOf(yield* readFrom(fixture), premises), [30 * round, 20 * round])
    }
    yield* proveSnapshot(fixture, 7)
  })

  it("a publish includes every movement of a place that was answered before it", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* atOnce(fixture)
    const from = yield* versionOf(fixture)
    const begun = { entered: 0, left: 0 }
    const answered = { entered: 0, left: 0 }
    const walkers = { moving: true }
    const comeAndGo = Effect.gen(function* () {
      for (let n = 0; n < 12; n++) {
        begun.entered++
        const stay = yield* enter(premises)
        answered.entered++
        if (n % 3 === 0) continue
        begun.left++
        yield* leave(stay)
        answered.left++
      }
    })
    const watch = Effect.gen(function* () {
      for (let round = 0; walkers.moving || round === 0; round++) {
        const [least, counted] = [{ ...answered }, yield* countIn(premises, fixture)]
        yield* publish(after(NOW, round))
        const events = yield* readFrom(fixture, from)
        const sum = (side: "entered" | "left") =>
          events.reduce((sum, event) => sum + (event._tag === "PresenceChanged" ? event[side] : 0), 0)
        for (const side of ["entered", "left"] as const) {
          assert.isAtLeast(sum(side), least[side])
          assert.isAtMost(sum(side), begun[side])
        }
        // Who was counted is published, unless they left in between.
        assert.isAtLeast(sum("entered") - least.left, counted)
        yield* Effect.yieldNow
      }
    })
    const walks = Effect.andThen(
      concurrently(times(10, () => comeAndGo)),
      Effect.sync(() => (walkers.moving = false))
    )
    yield* concurrently([walks, watch])
    yield* publish()
    same(totalsOf(yield* readFrom(fixture), premises), [120, 80])
    assert.strictEqual(yield* countIn(premises, fixture), 40)
  })

  it("concurrent exits from a place and abandonments count each stay once as left", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, eventGrain: EventGrain.make(0) })
    const opened = yield* concurrently(times(40, () => enter(premises)))
    const now = after(NOW, DAY)
    yield* concurrently([
      race(opened.map((stay) => leave(stay, { now }))),
      ...times(5, () => Effect.asVoid(abandonBatch(fixture, now, 9))),
      ...publishes(6)
    ])
    while ((yield* countIn(premises, fixture)) > 0) yield* abandonBatch(fixture, now)
    yield* publish()
    same(totalsOf(yield* readFrom(fixture), premises), [40, 40])
    yield* proveSnapshot(fixture)
  })

  it("concurrent exits from a place and erasures count each stay once as left", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const organizationId = fixture.id
    const people = times(12, () => aPerson())
    const inside = yield* Effect.forEach(people, (person) =>
      Effect.gen(function* () {
        const by = yield* aUserLinkedTo(organizationId, person)
        return { by, person, stay: yield* enter(premises, { by }) }
      })
    )
    yield* concurrently([
      race(inside.map(({ stay, by }) => leave(stay, { by }))),
      ...inside.map(({ person }) => Effect.asVoid(erase(PersonSubject(organizationId, person)))),
      ...publishes(4)
    ])
    yield* publish()
    assert.strictEqual(yield* countIn(premises, fixture), 0)
    same(totalsOf(yield* readFrom(fixture), premises), [12, 12])
    yield* proveSnapshot(fixture)
  })

  it("entrances that race with the end of their place are published before it, or find no place", function* (fixture) {
    yield* atOnce(fixture)
    for (let round = 0; round < 5; round++) {
      const { place, premises } = yield* aPlaceToEnter(fixture)
      const opened = yield* Effect.all(times(4, () => enter(premises)))
      const [entrances, exits] = yield* concurrently([
        race(times(20, () => enter(premises))),
        race(opened.map((stay) => leave(stay))),
        removePlace(fixture, place),
        ...publishes(5)
      ] as const)
      assert.strictEqual(entrances.succeeded.length + (entrances.refusals["PremisesNotFound"] ?? 0), 20)
      yield* publish()
      const sum = sumsOf(yield* readFrom(fixture)).get(place.id)!
      const entered = 4 + entrances.succeeded.length
      same([sum.entered, sum.left, sum.isDeleted], [entered, entered, true])
      assert.isAtMost(exits.succeeded.length, 4)
    }
    yield* proveSnapshot(fixture, 3)
  })

  it("concurrent changes of one organization are one event each, without gaps", function* (fixture, other) {
    yield* atOnce(fixture)
    const place = yield* aPlace(fixture)
    const from = yield* versionOf(fixture)
    const premises = PlacePremises(place.id)
    yield* concurrently([
      ...times(6, (n) => Effect.asVoid(changePlace(fixture, place, (one) => ({ ...one, name: `${n}` })))),
      ...times(6, () => Effect.flatMap(aPlace(fixture), (one) => removePlace(fixture, one))),
      ...times(6, (n) => Effect.asVoid(setCapacity(fixture, premises, { capacity: n + 1, warnAt: 1 }))),
      ...times(20, () => Effect.asVoid(enter(premises))),
      ...times(20, () => Effect.asVoid(enter(fixture.premises))),
      ...times(20, () => Effect.asVoid(enter(other.premises))),
      ...publishes(6)
    ])
    yield* publish()
    const events = yield* readFrom(fixture, from)
    const places = events.flatMap((event) => (event._tag === "PlaceChanged" ? [event.changed] : []))
    same([...places].sort(), [...times(6, () => "created"), ...times(6, () => "deleted"), ...times(6, () => "updated")])
    const every = yield* readFrom(fixture)
    same(totalsOf(every, premises), [20, 0])
    same(totalsOf(every, fixture.premises), [20, 0])
    same(totalsOf(yield* readFrom(other), other.premises), [20, 0])
    yield* proveSnapshot(fixture, 4)
  })

  it("concurrent readers see the same events", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* atOnce(fixture)
    let publishing = true
    const reader = (most: number) =>
      Effect.gen(function* () {
        const seen: Array<PresenceEvent> = []
        let isLast = false
        while (!isLast) {
          isLast = !publishing
          seen.push(...(yield* readFrom(fixture, seen.at(-1)?.version ?? 0, most)))
          yield* Effect.yieldNow
        }
        return seen
      })
    const stays: Array<Opened> = []
    const walks = Effect.gen(function* () {
      for (let n = 0; n < 15; n++) {
        stays.push(...(yield* concurrently(times(5, () => enter(premises)))))
        yield* concurrently([leave(stays.pop()!), publish(after(NOW, n)), publish(after(NOW, n))])
      }
      publishing = false
    })
    const [, one, other] = yield* concurrently([walks, reader(2), reader(50)])
    same(one, other)
    same(one, yield* readFrom(fixture))
    yield* proveSnapshot(fixture)
  })

  it("a deleted organization has no feed, whatever is published at the same time", function* () {
    for (let round = 0; round < 3; round++) {
      const fixture = yield* anOrganization()
      yield* atOnce(fixture)
      const place = PlacePremises((yield* aPlace(fixture)).id)
      yield* concurrently([
        race(times(20, (n) => enter(n % 2 === 0 ? place : fixture.premises))),
        deleteOrganization(fixture),
        ...publishes(5)
      ])
      assert.notInclude((yield* publish()).organizations, fixture.id)
      same((yield* pageOf(fixture, 0))._tag, "Gone")
    }
  })
}
