/** The laws of the feed on the events of places and organizations. */
import { EventGrain, PlaceNotFound, PlacePremises, PlaceStore, boundsOf, requireLevel } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { rectangleArea } from "../../../arbitraries/areas.ts"
import {
  anOrganization,
  aPlace,
  changeOrganization,
  changePlace,
  enter,
  leave,
  onGround,
  removePlace,
  someAdministrator,
  setTrackingMode,
  unused,
  aPlaceToEnter
} from "../../shared/fixtures.ts"
import { refused, same, times, pluck } from "../../shared/outcome.ts"
import { changePolicy } from "../../shared/policies.ts"
import {
  changed,
  eventsSince,
  placeIdOf,
  proveSnapshot,
  reached,
  setCapacity,
  snapshotOf,
  publish,
  versionOf
} from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"

const ofPlace = (place: { readonly id: ReturnType<typeof placeIdOf> }, changed: string) => ({
  _tag: "PlaceChanged",
  placeId: place.id,
  changed
})

const UPDATED = { _tag: "OrganizationChanged", changed: "updated" }

export const administrativeEventLaws: Laws = (it) => {
  it("the feed of an organization begins empty, and that of a place with its creation", function* (fixture) {
    const totals = { entered: 0, left: 0, level: "none" }
    same(yield* snapshotOf(fixture), { organizationId: fixture.id, version: 0, totals: [totals] })
    same(yield* eventsSince(fixture), [])
    const place = yield* aPlace(fixture)
    same(yield* eventsSince(fixture), [ofPlace(place, "created")])
    same((yield* snapshotOf(fixture)).totals, [totals, { placeId: place.id, ...totals }])
  })

  it("any change of a place is an event, and an update that changes nothing is none", function* (fixture) {
    const place = yield* aPlace(fixture, { left: 0, bottom: 0, right: 2, top: 2 }, "first")
    const trackingArea = rectangleArea({ left: 2, bottom: 2, right: 4, top: 4 })
    const before = yield* versionOf(fixture)
    yield* changePlace(fixture, place, (one) => one)
    yield* changePlace(fixture, place, (one) => ({ ...one }))
    yield* changePlace(fixture, place, (one) => ({ ...one, name: "first" }))
    same(yield* eventsSince(fixture, before), [])
    yield* changePlace(fixture, place, (one) => ({ ...one, name: "second" }))
    yield* changePlace(fixture, place, (one) => ({ ...one, name: undefined }))
    yield* changePlace(fixture, place, (one) => ({ ...one, trackingArea }), trackingArea)
    same(yield* eventsSince(fixture, before), Array(3).fill(ofPlace(place, "updated")))
  })

  it("any change of an organization is an event, and an update that changes nothing is none", function* () {
    const fixture = yield* anOrganization({ description: "first" })
    yield* changeOrganization(fixture.id, (one) => one)
    yield* changeOrganization(fixture.id, (one) => ({ ...one }))
    yield* changeOrganization(fixture.id, (one) => ({ ...one, description: "first" }))
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(5) })
    same(yield* eventsSince(fixture), [])
    const name = unused("renamed")
    yield* changeOrganization(fixture.id, (one) => ({ ...one, name }))
    yield* changeOrganization(fixture.id, (one) => ({ ...one, description: undefined }))
    yield* changeOrganization(fixture.id, (one) => ({ ...one, description: "third" }))
    yield* changeOrganization(fixture.id, ({ description: _, ...one }) => one)
    yield* setTrackingMode(fixture.id, "authenticated")
    same(yield* eventsSince(fixture), [UPDATED, UPDATED, UPDATED, UPDATED, UPDATED])
  })

  it("refused changes of places and organizations add no event", function* (fixture) {
    const place = yield* aPlace(fixture)
    const before = yield* versionOf(fixture)
    const administratorId = someAdministrator()
    const store = yield* PlaceStore
    const trackingArea = fixture.organization.trackingArea
    const organizationId = fixture.id
    yield* refused(
      store.create({
        organizationId,
        administratorId,
        bounds: boundsOf(trackingArea),
        decide: ({ level }) =>
          Result.map(requireLevel(level, "manager"), () => onGround({ organizationId, trackingArea }))
      }),
      "PermissionTooLow"
    )
    yield* refused(
      store.update({
        placeId: place.id,
        administratorId,
        bounds: undefined,
        decide: ({ place: { id } }) => Result.fail(new PlaceNotFound({ placeId: id }))
      }),
      "PlaceNotFound"
    )
    yield* refused(
      store.remove({ placeId: place.id, administratorId, decide: ({ level }) => requireLevel(level, "manager") }),
      "PermissionTooLow"
    )
    const { organization: other } = yield* anOrganization()
    yield* refused(
      changeOrganization(fixture.id, (one) => ({ ...one, name: other.name })),
      "OrganizationNameTaken"
    )
    same(yield* eventsSince(fixture, before), [])
  })

  it("the end of a place with open stays is a PresenceChanged with inside 0, and then PlaceChanged", function* (fixture) {
    const [place, other] = [yield* aPlace(fixture), yield* aPlace(fixture)]
    const [premises, elsewhere] = [PlacePremises(place.id), PlacePremises(other.id)]
    yield* Effect.all(times(3, () => enter(premises)))
    yield* enter(elsewhere)
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* removePlace(fixture, place)
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 0, left: 3, inside: 0 }),
      ofPlace(place, "deleted")
    ])
    same(pluck((yield* snapshotOf(fixture)).totals, "placeId"), [undefined, other.id])
    yield* publish()
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 0, left: 3, inside: 0 }),
      ofPlace(place, "deleted")
    ])
    yield* proveSnapshot(fixture)
  })

  it("the end of an empty place is a PlaceChanged alone", function* (fixture) {
    const place = yield* aPlace(fixture)
    yield* Effect.flatMap(enter(PlacePremises(place.id)), (stay) => leave(stay))
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* removePlace(fixture, place)
    same(yield* eventsSince(fixture, before), [ofPlace(place, "deleted")])
    const unvisited = yield* aPlace(fixture)
    yield* removePlace(fixture, unvisited)
    same((yield* eventsSince(fixture, before)).slice(1), [ofPlace(unvisited, "created"), ofPlace(unvisited, "deleted")])
  })

  it("the end of a place publishes the level that it changes between both events", function* (fixture) {
    const { place, premises } = yield* aPlaceToEnter(fixture)
    yield* setCapacity(fixture, premises, { capacity: 2, warnAt: 1 })
    yield* Effect.all(times(2, () => enter(premises)))
    yield* publish()
    const before = yield* versionOf(fixture)
    yield* removePlace(fixture, place)
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 0, left: 2, inside: 0 }),
      reached(premises, { level: "normal", inside: 0, capacity: 2 }),
      ofPlace(place, "deleted")
    ])
  })

  it("events of a place follow each other in the order of the operations", function* () {
    const fixture = yield* anOrganization({ trackingMode: "anonymous" })
    const { place, premises } = yield* aPlaceToEnter(fixture)
    yield* setCapacity(fixture, premises, { capacity: 2, warnAt: 0.5 })
    yield* enter(premises)
    yield* publish()
    yield* changePlace(fixture, place, (one) => ({ ...one, name: "renamed" }))
    const second = yield* aPlace(fixture)
    yield* setCapacity(fixture, premises, undefined)
    yield* removePlace(fixture, place)
    const events = yield* eventsSince(fixture)
    const expected = [
      ofPlace(place, "created"),
      reached(premises, { level: "normal", inside: 0, capacity: 2 }),
      changed(premises, { entered: 1, left: 0, inside: 1 }),
      reached(premises, { level: "warning", inside: 1, capacity: 2 }),
      ofPlace(place, "updated"),
      ofPlace(second, "created"),
      reached(premises, { level: "none", inside: 1 }),
      changed(premises, { entered: 0, left: 1, inside: 0 }),
      ofPlace(place, "deleted")
    ]
    same(events, expected)
    assert.strictEqual(yield* versionOf(fixture), expected.length)
  })
}
