/** Laws of `CapacityStore`: what is set is read again, and published in the feed. */
import { type Capacity, PlacePremises, levelOf } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { capacity } from "../../arbitraries/capacities.ts"
import { anyOf } from "../../arbitraries/choice.ts"
import { after, NOW } from "../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  deleteOrganization,
  enter,
  type OrganizationFixture,
  leave,
  premisesOf,
  removePlace,
  someAdministrator,
  MISSING_PREMISES,
  aPlaceToEnter,
  displayOf
} from "../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, concurrently } from "../shared/outcome.ts"
import { withdraw } from "../shared/permissions.ts"
import {
  capacityOf,
  changed,
  totalsOf,
  eventsSince,
  proveSnapshot,
  reached,
  setCapacity,
  publish,
  versionOf,
  placeIdOf
} from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

const SECOND = 1000

const TEN: Capacity = { capacity: 10, warnAt: 0.8 }

/** The organization in the name of another administrator. */
const actingAs = (fixture: OrganizationFixture, owner: OrganizationFixture["owner"]): OrganizationFixture => ({
  ...fixture,
  owner
})

const recordLaws: Laws = (it) => {
  it("a place has no capacity before it is set and after it is lifted", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const organizationId = fixture.id
    same(yield* capacityOf(fixture, premises), { organizationId, premises, inside: 0, level: "none" })
    const set = { organizationId, premises, inside: 0, capacity: TEN, level: "normal" }
    same(yield* setCapacity(fixture, premises, TEN), set)
    same(yield* capacityOf(fixture, premises), set)
    same((yield* totalsOf(fixture, premises)).capacity, TEN)
    yield* enter(premises)
    same(yield* capacityOf(fixture, premises), { ...set, inside: 1 })
    same(yield* setCapacity(fixture, premises, undefined), { organizationId, premises, inside: 1, level: "none" })
    same(yield* capacityOf(fixture, premises), { organizationId, premises, inside: 1, level: "none" })
    same((yield* totalsOf(fixture, premises)).capacity, undefined)
  })

  it.prop(
    "a capacity is kept exactly as it was given",
    { kind: anyOf(["organization", "place"] as const), capacity, later: capacity },
    function* ({ kind, capacity, later }) {
      const { fixture, premises } = yield* premisesOf(kind)
      yield* enter(premises)
      for (const one of [capacity, later, { capacity: 10_000_000, warnAt: 0.1 + 0.2 }]) {
        const reading = yield* setCapacity(fixture, premises, one)
        same([reading.capacity, reading.level, reading.inside], [one, levelOf(one, 1), 1])
        same(yield* capacityOf(fixture, premises), reading)
      }
    }
  )

  it("managers of a place set its capacity, viewers and displays read it, and a refusal changes nothing", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const [viewer, manager] = [
      yield* aBoundAdministrator(fixture, "viewer"),
      yield* aBoundAdministrator(fixture, "manager")
    ]
    const as = ({ administratorId }: typeof viewer) => actingAs(fixture, administratorId)
    yield* setCapacity(as(manager), premises, TEN)
    const before = yield* versionOf(fixture)
    const stranger = actingAs(fixture, someAdministrator())
    for (const one of [as(viewer), stranger, yield* anOrganization()]) {
      yield* refused(setCapacity(one, premises, { capacity: 1, warnAt: 1 }), "PermissionTooLow")
    }
    const foreign = { owner: displayOf(yield* anOrganization()) }
    for (const one of [stranger, foreign, yield* anOrganization()]) {
      yield* refused(capacityOf(one, premises), "PermissionTooLow")
    }
    const display = { owner: displayOf(fixture) }
    for (const one of [as(viewer), as(manager), display, fixture])
      same((yield* capacityOf(one, premises)).capacity, TEN)
    same(yield* eventsSince(fixture, before), [])
    yield* withdraw(fixture.id, fixture.owner, manager.administratorId)
    yield* refused(setCapacity(as(manager), premises, undefined), "PermissionTooLow")
    yield* refused(capacityOf(as(manager), premises), "PermissionTooLow")
  })

  it("the capacities of an organization and of its places are their own", function* (fixture) {
    const [one, other] = [PlacePremises((yield* aPlace(fixture)).id), PlacePremises((yield* aPlace(fixture)).id)]
    yield* setCapacity(fixture, fixture.premises, { capacity: 1, warnAt: 1 })
    yield* setCapacity(fixture, one, { capacity: 2, warnAt: 1 })
    for (const [premises, expected] of [
      [fixture.premises, 1],
      [one, 2],
      [other, undefined]
    ] as const) {
      same((yield* capacityOf(fixture, premises)).capacity?.capacity, expected)
    }
    yield* enter(fixture.premises)
    same((yield* capacityOf(fixture, fixture.premises)).level, "full")
    same((yield* capacityOf(fixture, one)).level, "normal")
  })

  it("a capacity ends with its premises", function* (fixture, gone) {
    const { place, premises } = yield* aPlaceToEnter(fixture)
    yield* setCapacity(fixture, premises, TEN)
    yield* removePlace(fixture, place)
    yield* setCapacity(gone, gone.premises, TEN)
    yield* deleteOrganization(gone)
    for (const nowhere of [premises, gone.premises, ...MISSING_PREMISES]) {
      yield* refused(setCapacity(fixture, nowhere, TEN), "PremisesNotFound")
      yield* refused(capacityOf(fixture, nowhere), "PremisesNotFound")
    }
  })
}

const levelLaws: Laws = (it) => {
  it("setting or lifting a capacity of a place publishes the level if it changes", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const stays = yield* Effect.all(times(9, () => enter(premises)))
    yield* publish()
    const before = yield* versionOf(fixture)
    const of = (capacity: number, warnAt = TEN.warnAt) => ({ capacity, warnAt })
    for (const capacity of [undefined, TEN, TEN, of(11), of(12), of(12, 0.75), of(9), of(5), undefined, undefined]) {
      yield* setCapacity(fixture, premises, capacity)
    }
    same(yield* eventsSince(fixture, before), [
      reached(premises, { level: "warning", inside: 9, capacity: 10 }),
      reached(premises, { level: "normal", inside: 9, capacity: 12 }),
      reached(premises, { level: "warning", inside: 9, capacity: 12 }),
      reached(premises, { level: "full", inside: 9, capacity: 9 }),
      reached(premises, { level: "over", inside: 9, capacity: 5 }),
      reached(premises, { level: "none", inside: 9 })
    ])
    yield* Effect.forEach(stays, (stay) => leave(stay))
    yield* publish(after(NOW, 7_200_000))
    yield* proveSnapshot(fixture)
  })

  it("movements of a place that jump over levels publish the last level alone", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* setCapacity(fixture, premises, { capacity: 10, warnAt: 0.5 })
    let now = after(NOW, SECOND)
    const inside: Array<Effect.Success<ReturnType<typeof enter>>> = []
    const moveTo = Effect.fnUntraced(function* (count: number) {
      const before = yield* versionOf(fixture)
      for (const stay of inside.splice(count)) yield* leave(stay)
      while (inside.length < count) inside.push(yield* enter(premises))
      now = after(now, SECOND)
      yield* publish(now)
      const events = yield* eventsSince(fixture, before)
      same((yield* capacityOf(fixture, premises)).level, (yield* totalsOf(fixture, premises)).level)
      return events.flatMap((one) => (one._tag === "CapacityChanged" ? `${one.level} ${one.inside}` : [])).join()
    })
    const published = []
    for (const count of [4, 5, 4, 11, 10, 11, 10, 9, 5, 6, 5, 0]) published.push(yield* moveTo(count))
    const rising = ["", "warning 5", "normal 4", "over 11", "full 10", "over 11"]
    same(published, [...rising, "full 10", "warning 9", "", "", "", "normal 0"])
    yield* proveSnapshot(fixture)
  })

  it("setting a capacity of a place publishes its recorded changes first, if they are due", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    yield* publish(NOW)
    const before = yield* versionOf(fixture)
    yield* Effect.all(times(7, () => enter(premises)))
    same((yield* setCapacity(fixture, premises, TEN, after(NOW, SECOND))).inside, 8)
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 7, left: 0, inside: 8 }),
      reached(premises, { level: "warning", inside: 8, capacity: 10 })
    ])
    yield* publish()
    same((yield* eventsSince(fixture, before)).length, 2)
    yield* proveSnapshot(fixture)
  })

  it("the level of a capacity of a place waits with the changes that wait for their interval", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    yield* publish(NOW)
    const before = yield* versionOf(fixture)
    yield* Effect.all(times(7, () => enter(premises)))
    for (const capacity of [TEN, { ...TEN, capacity: 7 }, TEN, TEN]) {
      const { inside, level } = yield* setCapacity(fixture, premises, capacity, after(NOW, SECOND - 1))
      same({ inside, level }, { inside: 8, level: levelOf(capacity, 8) })
    }
    same(yield* eventsSince(fixture, before), [])
    yield* proveSnapshot(fixture)
    yield* publish(after(NOW, SECOND))
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 7, left: 0, inside: 8 }),
      reached(premises, { level: "warning", inside: 8, capacity: 10 })
    ])
    // That there is no level needs no number of people.
    yield* enter(premises)
    yield* setCapacity(fixture, premises, undefined, after(NOW, SECOND))
    same((yield* eventsSince(fixture, before)).slice(2), [reached(premises, { level: "none", inside: 8 })])
    yield* publish()
    yield* proveSnapshot(fixture)
  })

  it("setting a capacity publishes no changes of other premises", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* enter(place)
    const before = yield* versionOf(fixture)
    yield* setCapacity(fixture, fixture.premises, TEN)
    same(yield* eventsSince(fixture, before), [reached(fixture.premises, { level: "normal", inside: 0, capacity: 10 })])
  })
}

const raceLaws: Laws = (it) => {
  it("concurrent settings of a capacity follow each other, and the last one is kept", function* (fixture) {
    yield* Effect.all(times(10, () => enter(fixture.premises)))
    const capacities = times(30, (n) => (n % 5 === 0 ? undefined : { capacity: n, warnAt: 1 / (1 + (n % 3)) }))
    const settings = capacities.map((capacity) => setCapacity(fixture, fixture.premises, capacity))
    const succeeded = yield* allSucceed(settings)
    const last = yield* capacityOf(fixture, fixture.premises)
    assert.isTrue(succeeded.some(({ capacity }) => capacity?.capacity === last.capacity?.capacity))
    same(last.level, levelOf(last.capacity, 10))
    const sum = (yield* proveSnapshot(fixture)).get(undefined)!
    same(sum.level, last.level)
  })

  it("concurrent settings of a capacity and movements count each movement once", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const opened = yield* concurrently(times(20, () => enter(premises)))
    yield* concurrently([
      ...opened.map((stay) => Effect.asVoid(leave(stay))),
      ...times(25, () => Effect.asVoid(enter(premises))),
      ...times(12, (n) => Effect.asVoid(setCapacity(fixture, premises, { capacity: 1 + (n % 4) * 9, warnAt: 0.5 }))),
      ...times(6, (n) => Effect.asVoid(publish(after(NOW, n * SECOND))))
    ])
    yield* publish()
    const reading = yield* capacityOf(fixture, premises)
    assert.strictEqual(reading.inside, 25)
    const { entered, left, level } = (yield* proveSnapshot(fixture)).get(placeIdOf(premises))!
    same([entered, left, level], [45, 20, reading.level])
  })

  it("setting a capacity that races with the end of its place comes before it, or finds no place", function* (fixture) {
    for (const place of [yield* aPlace(fixture), yield* aPlace(fixture), yield* aPlace(fixture)]) {
      const premises = PlacePremises(place.id)
      yield* enter(premises)
      const [{ succeeded, refusals }] = yield* concurrently([
        race(times(6, (n) => setCapacity(fixture, premises, { capacity: n + 1, warnAt: 1 }))),
        removePlace(fixture, place)
      ])
      assert.strictEqual(succeeded.length + (refusals["PremisesNotFound"] ?? 0), 6)
    }
    yield* proveSnapshot(fixture)
  })

  it("a withdrawn permission sets no capacity afterwards", function* (fixture) {
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    const manager = actingAs(fixture, administratorId)
    const [{ succeeded, refusals }] = yield* concurrently([
      race(times(10, (n) => setCapacity(manager, fixture.premises, { capacity: n + 1, warnAt: 1 }))),
      withdraw(fixture.id, fixture.owner, administratorId)
    ])
    assert.strictEqual(succeeded.length + (refusals["PermissionTooLow"] ?? 0), 10)
    const kept = (yield* capacityOf(fixture, fixture.premises)).capacity?.capacity
    assert.include([undefined, ...succeeded.map(({ capacity }) => capacity?.capacity)], kept)
  })
}

/**
 * What every `CapacityStore` promises. The laws publish events with times of their own: nothing else may publish events on their database.
 */
export const capacityStoreLaws = suite("CapacityStore", [recordLaws, levelLaws, raceLaws])
