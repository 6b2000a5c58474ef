/** Laws of musters about stays that end without an exit: with their place, or by the stay policy. */
import { LongestStay } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { after, NOW } from "../../../arbitraries/times.ts"
import { removePlace } from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { same } from "../../shared/outcome.ts"
import {
  anOrganizationWithPlaces,
  aVisitor,
  end,
  get,
  isOf,
  mark,
  marked,
  minute,
  countsOf,
  start,
  stateOf,
  visitorsOf,
  proveState
} from "../../shared/musters.ts"
import { changePolicy, abandonBatch, HOUR } from "../../shared/policies.ts"

export const musterEndingLaws: Laws = (it) => {
  it("who was or came inside of a place that ends has left, unless another stay is open", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const [ada, bob, brief, late, known] = yield* visitorsOf(fixture)
    yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    yield* bob.enters(fixture.premises)
    const { id } = yield* start(fixture)
    yield* mark(fixture.owner, id, marked(known.person))
    yield* late.enters(inHall, minute(2))
    yield* known.enters(inHall, minute(2))
    const briefly = yield* brief.enters(inHall, minute(2))
    yield* brief.leaves(briefly, minute(3))
    yield* removePlace(fixture, hall)
    const muster = yield* get(fixture, id)
    same(countsOf(muster), { inside: 5, safe: 0, left: 4, missing: 1 })
    same(stateOf(muster, bob.person).placeIds, [])
    for (const { person } of [ada, brief, late, known]) {
      proveState(muster, person, { placeIds: [hall.id], since: person === ada.person ? NOW : minute(2), state: "left" })
    }
    same(countsOf(yield* end(fixture, id)), countsOf(muster))
  })

  it("whose stay is abandoned has left, unless another stay is open", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const [ada, late] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inHall)
    const { id } = yield* start(fixture)
    yield* late.enters(inHall)
    yield* changePolicy(fixture, { longestStay: LongestStay.make(60) })
    yield* abandonBatch(fixture, after(NOW, HOUR))
    const muster = yield* get(fixture, id)
    same(countsOf(muster), { inside: 2, safe: 0, left: 2, missing: 0 })
    same(stateOf(muster, late.person).placeIds, [hall.id])
    assert.isTrue(isOf(muster, ada.person))
  })

  it("who left one place and was last in another that ended is where they were last, and of no known exit", function* () {
    const { fixture, hall, yard, inHall, inYard } = yield* anOrganizationWithPlaces
    const [ada, late, back] = [yield* aVisitor(fixture), yield* aVisitor(fixture), yield* aVisitor(fixture)]
    const inside = yield* ada.enters(inHall)
    yield* back.enters(inYard)
    const { id } = yield* start(fixture)
    yield* ada.leaves(inside, minute(2))
    yield* ada.enters(inYard, minute(3))
    const briefly = yield* late.enters(inHall, minute(2))
    yield* late.leaves(briefly, minute(3))
    yield* late.enters(inYard, minute(3))
    yield* mark(fixture.owner, id, marked(late.person), minute(4))
    yield* Effect.andThen(TestClock.setTime(minute(5)), removePlace(fixture, yard)).pipe(
      Effect.provide(TestClock.layer())
    )
    const again = yield* back.enters(inHall, minute(6))
    yield* back.leaves(again, minute(7))
    yield* mark(fixture.owner, id, marked(ada.person), minute(8))
    const muster = yield* get(fixture, id)
    for (const { person } of [ada, late]) {
      const last = { placeIds: [yard.id], since: minute(3), state: "left" }
      proveState(muster, person, last)
    }
    const last = { placeIds: [hall.id], since: minute(6), state: "left", at: minute(7) }
    proveState(muster, back.person, last)
    same((yield* end(fixture, id)).people, muster.people)
  })

  it("who has several stays that are abandoned together was last inside of all of their places", function* () {
    const { fixture, hall, yard, inHall, inYard } = yield* anOrganizationWithPlaces
    const visitor = yield* aVisitor(fixture)
    const { id } = yield* start(fixture)
    yield* visitor.enters(fixture.premises, minute(2))
    yield* visitor.enters(inHall, minute(3))
    yield* visitor.enters(inYard, minute(4))
    yield* changePolicy(fixture, { longestStay: LongestStay.make(60) })
    // In portions, one after the other.
    for (let n = 0; n < 3; n++) yield* abandonBatch(fixture, after(NOW, HOUR), 1)
    const last = { placeIds: [hall.id, yard.id], since: minute(2), state: "left" }
    proveState(yield* get(fixture, id), visitor.person, last)
  })
}
