/** The laws of the feed on how close together events come. */
import { EventGrain, PlacePremises } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { integer } from "../../../arbitraries/choice.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  enter,
  leave,
  removePlace,
  setTrackingMode,
  aPlaceToEnter
} from "../../shared/fixtures.ts"
import { same, times } from "../../shared/outcome.ts"
import { type Laws } from "../../shared/suite.ts"
import { changePolicy } from "../../shared/policies.ts"
import {
  eventsSince,
  proveSnapshot,
  setCapacity,
  versionOf,
  publishRest,
  publishAt
} from "../../shared/presenceFeed.ts"

export const eventIntervalLaws: Laws = (it) => {
  it("the policy sets the interval, and without it the present tracking mode does", function* () {
    yield* publishRest
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    let published = 0
    const next = Effect.gen(function* () {
      const stay = yield* enter(fixture.premises, { by })
      yield* leave(stay, { by })
      const [isPublished, nextAt] = yield* publishAt(fixture, published)
      assert.isFalse(isPublished && nextAt !== undefined)
      const interval = isPublished ? 0 : nextAt! - published
      if (!isPublished) assert.isTrue((yield* publishAt(fixture, nextAt!))[0])
      published += interval
      return interval
    })
    const intervals = [yield* next]
    const nextAfter = Effect.fnUntraced(function* (...grains: ReadonlyArray<number | null>) {
      for (const eventGrain of grains) {
        yield* changePolicy(fixture, { eventGrain: eventGrain === null ? null : EventGrain.make(eventGrain) })
        intervals.push(yield* next)
      }
    })
    yield* nextAfter(5, 60, 2, null)
    yield* setTrackingMode(fixture.id, "anonymous")
    intervals.push(yield* next)
    yield* nextAfter(1, 0, null)
    yield* setTrackingMode(fixture.id, "authenticated")
    intervals.push(yield* next)
    same(intervals, [0, 5000, 60_000, 2000, 0, 1000, 1000, 0, 1000, 0])
    yield* proveSnapshot(fixture)
  })

  it("each premises has its own interval, and nextAt is the earliest time that is left", function* (fixture, other) {
    yield* publishRest
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* enter(fixture.premises)
    same(yield* publishAt(fixture, 0), [true, undefined])
    yield* enter(place)
    yield* enter(fixture.premises)
    same(yield* publishAt(fixture, 300), [true, 1000])
    yield* enter(place)
    yield* enter(other.premises)
    same(yield* publishAt(other, 400), [true, 1000])
    yield* enter(other.premises)
    same(yield* publishAt(fixture, 1000), [true, 1300])
    same(yield* publishAt(other, 1300), [false, 1400])
    same(yield* publishAt(other, 1400), [true, undefined])
    for (const one of [fixture, other]) yield* proveSnapshot(one)
  })

  it("an event that was published by a clock more than an interval ahead delays no later event", function* (fixture) {
    yield* publishRest
    for (const milliseconds of [24 * 3_600_000, 3_600_000, 2001, 1000, -1]) {
      yield* enter(fixture.premises)
      same(yield* publishAt(fixture, milliseconds), [true, undefined])
    }
  })

  it("servers whose clocks differ by less than the interval keep it together", function* (fixture) {
    yield* publishRest
    yield* enter(fixture.premises)
    same(yield* publishAt(fixture, 300), [true, undefined])
    yield* enter(fixture.premises)
    // By a clock that is 300 ms behind, a moment later.
    same(yield* publishAt(fixture, 1), [false, 1300])
    same(yield* publishAt(fixture, 1300), [true, undefined])
  })

  it("a capacity that is set keeps the interval, and the end of a place ignores it", function* (fixture) {
    yield* publishRest
    const { place, premises } = yield* aPlaceToEnter(fixture)
    yield* setCapacity(fixture, premises, { capacity: 5, warnAt: 1 })
    yield* enter(premises)
    same(yield* publishAt(fixture, 0), [true, undefined])
    const before = yield* versionOf(fixture)
    yield* enter(premises)
    yield* setCapacity(fixture, premises, { capacity: 2, warnAt: 1 }, after(NOW, 10))
    yield* enter(premises)
    same(yield* publishAt(fixture, 999), [false, 1000])
    same(yield* eventsSince(fixture, before), [])
    yield* removePlace(fixture, place)
    same(yield* publishAt(fixture, 1000), [false, undefined])
    assert.strictEqual((yield* eventsSince(fixture, before)).length, 2)
    yield* proveSnapshot(fixture)
  })

  it.prop(
    "two events of the same premises are never closer together than the interval",
    { interval: integer(0, 60), moments: Arbitrary.array(integer(0, 90_000), { minLength: 3, maxLength: 12 }) },
    function* ({ interval, moments }) {
      yield* publishRest
      const fixture = yield* anOrganization({ trackingMode: "authenticated" })
      yield* changePolicy(fixture, { eventGrain: EventGrain.make(interval) })
      let published: number | undefined
      let entered = 0
      for (const moment of [...moments].sort((one, other) => one - other)) {
        const enterOne = () =>
          Effect.flatMap(aUserLinkedTo(fixture.id, aPerson()), (by) => enter(fixture.premises, { by }))
        yield* Effect.all(times(1 + (moment % 3), enterOne))
        entered += 1 + (moment % 3)
        const due = published === undefined ? moment : Math.max(moment, published + interval * 1000)
        same(yield* publishAt(fixture, moment), due === moment ? [true, undefined] : [false, due])
        if (due === moment) published = moment
      }
      yield* publishRest
      const sum = (yield* proveSnapshot(fixture)).get(undefined)!
      assert.strictEqual(sum.entered, entered)
    }
  )
}
