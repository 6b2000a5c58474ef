/** Laws of `ImportStore` on places that are created together. */
import {
  DEFAULT_WARN_AT,
  ImportStore,
  type NewPlace,
  type PlaceFacts,
  type PlaceId,
  PlacePremises,
  type PlacePosition,
  placeChanged,
  plannedId,
  type PlannedPlace,
  PlaceStore,
  boundsOf,
  EventGrain,
  Timestamp as timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Clock, Effect, Option, Result } from "effect"
import { rectangleArea } from "../../../arbitraries/areas.ts"
import { aPlace, neverCreated, type OrganizationFixture, placesOf } from "../../shared/fixtures.ts"
import { expectRefusals, race, refused, same, seen, times } from "../../shared/outcome.ts"
import { changePolicy } from "../../shared/policies.ts"
import { capacityOf, eventsSince, proveSnapshot, publish, snapshotOf } from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"

const creationIn = ({ id: organizationId, owner: administratorId }: OrganizationFixture) => ({
  organizationId,
  administratorId
})

/** Places to be created: a hall, a room in it and one beside. */
const plannedIn = ({ id: organizationId }: OrganizationFixture): ReadonlyArray<PlannedPlace> => {
  const planned = (
    feature: number,
    left: number,
    position: PlacePosition,
    rest: Partial<NewPlace> & Pick<PlannedPlace, "capacity">
  ): PlannedPlace => {
    const { capacity, ...place } = rest
    const trackingArea = rectangleArea({ left, bottom: 0, right: left + 1, top: 1 })
    return {
      feature,
      id: plannedId(feature),
      place: { organizationId, name: undefined, trackingArea, ...place },
      position,
      capacity
    }
  }
  return [
    planned(
      2,
      0,
      { level: 3, floor: 3, ancestors: [] },
      { name: "Hall", level: 3, capacity: { capacity: 9, warnAt: DEFAULT_WARN_AT } }
    ),
    planned(0, 0, { floor: 3, ancestors: [plannedId(2)] }, { parentId: plannedId(2), capacity: undefined }),
    planned(1, 4, { floor: 0, ancestors: [] }, { name: "Yard", capacity: { capacity: 5, warnAt: 0.5 } })
  ]
}

const createIn = (fixture: OrganizationFixture, places: ReadonlyArray<PlannedPlace>) =>
  ImportStore.use((store) =>
    store.createPlaces({ ...creationIn(fixture), decide: () => Result.succeed({ places, refused: [] }) })
  )

/** The facts that a new place in an organization is decided on. */
const factsOf = (fixture: OrganizationFixture) =>
  Effect.map(
    refused(
      ImportStore.use((store) => store.createPlaces({ ...creationIn(fixture), decide: seen })),
      "Seen"
    ),
    ({ facts }) => facts as PlaceFacts
  )

export const placeLaws: Laws = (it) => {
  it("places that are created together are as those that are created one by one", function* (fixture, other) {
    const planned = plannedIn(fixture)
    const { ids, plan } = yield* createIn(fixture, planned)
    same(plan.places, planned)
    const [hall, room, yard] = ids
    const byFeature = new Map([[plannedId(2), hall!]])
    const idOf = (id: PlaceId) => byFeature.get(id) ?? id
    const expected = planned.map(({ place }, n) => ({
      ...place,
      id: ids[n]!,
      parentId: place.parentId === undefined ? undefined : idOf(place.parentId)
    }))
    const byId = (one: { readonly id: PlaceId }, another: { readonly id: PlaceId }) => (one.id < another.id ? -1 : 1)
    same(
      (yield* placesOf(fixture.id)).map(({ trackingArea, ...place }) => ({ ...place, area: trackingArea.text })),
      expected.toSorted(byId).map(({ trackingArea, ...place }) => ({ ...place, area: trackingArea.text }))
    )
    const { near, others } = yield* factsOf(fixture)
    same(
      near.map(({ id, level, floor, ancestors }) => ({ id, level, floor, ancestors })).toSorted(byId),
      [
        { id: hall!, level: 3, floor: 3, ancestors: [] },
        { id: room!, floor: 3, ancestors: [hall!] },
        { id: yard!, floor: 0, ancestors: [] }
      ].toSorted(byId)
    )
    same(others.places, 3)
    same(
      (yield* eventsSince(fixture)).map(({ _tag, ...event }) => [_tag, "placeId" in event ? event.placeId : undefined]),
      [
        ["PlaceChanged", hall],
        ["PlaceChanged", room],
        ["PlaceChanged", yard],
        ["CapacityChanged", hall],
        ["CapacityChanged", yard]
      ]
    )
    same(
      (yield* eventsSince(fixture)).slice(0, 3),
      expected.map((place) => placeChanged("created", place))
    )
    yield* proveSnapshot(fixture)
    const reading = yield* capacityOf(fixture, PlacePremises(yard!))
    same([reading.capacity, reading.level, reading.inside], [{ capacity: 5, warnAt: 0.5 }, "normal", 0])
    // Each alone leaves the same facts.
    for (const { place, position } of planned.filter(({ place }) => place.parentId === undefined)) {
      yield* PlaceStore.use((store) =>
        store.create({
          ...creationIn(other),
          bounds: boundsOf(place.trackingArea),
          decide: () => Result.succeed({ place: { ...place, organizationId: other.id }, position })
        })
      )
    }
    const alone = yield* factsOf(other)
    same(
      alone.near.map(({ bounds, floor }) => [bounds, floor]),
      near.filter(({ id }) => id !== room).map(({ bounds, floor }) => [bounds, floor])
    )
  })

  it("levels of capacities wait for the publishing interval", function* (fixture) {
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(60) })
    const { ids } = yield* createIn(fixture, plannedIn(fixture))
    same(
      (yield* eventsSince(fixture)).map(({ _tag }) => _tag),
      times(3, () => "PlaceChanged")
    )
    const now = yield* Clock.currentTimeMillis
    yield* publish(timestamp(now + 120_000))
    const levels = (yield* eventsSince(fixture))
      .slice(3)
      .map((event) => "level" in event && [event.placeId, event.level])
    same(
      levels,
      [ids[0], ids[2]].map((id) => [id, "normal"])
    )
    yield* proveSnapshot(fixture)
  })

  it("places are decided on all places of the organization, and a refusal creates none", function* (fixture, other) {
    const place = yield* aPlace(fixture, { left: 2, bottom: 2, right: 4, top: 4 })
    yield* aPlace(other)
    const { near, others, level, organizationArea } = yield* factsOf(fixture)
    same(
      [near.map(({ id }) => id), others.places, organizationArea.text],
      [[place.id], 1, fixture.organization.trackingArea.text]
    )
    assert.strictEqual(Option.getOrUndefined(level), "owner")
    assert.strictEqual((yield* placesOf(fixture.id)).length, 1)
    yield* refused(createIn(neverCreated(fixture), []), "OrganizationNotFound")
    yield* refused(
      ImportStore.use((store) => store.previewPlaces(creationIn(neverCreated(fixture)))),
      "OrganizationNotFound"
    )
  })

  it("places are not created on a preview after another change", function* (fixture) {
    const store = yield* ImportStore
    const preview = yield* store.previewPlaces(creationIn(fixture))
    yield* aPlace(fixture, { left: 2, bottom: 2, right: 4, top: 4 })
    const { facts } = yield* refused(store.createPlaces({ ...creationIn(fixture), preview, decide: seen }), "Seen")
    assert.strictEqual(facts.near.length, 1)
    const present = yield* store.previewPlaces(creationIn(fixture))
    const again = yield* refused(store.createPlaces({ ...creationIn(fixture), preview: present, decide: seen }), "Seen")
    assert.strictEqual(again.facts.near.length, 1)
  })

  it("of creations at the same moment each is decided on the places of those before", function* (fixture) {
    const creations = times(5, () =>
      ImportStore.use((store) =>
        store.createPlaces({
          ...creationIn(fixture),
          decide: (facts) =>
            facts.near.length > 0 ? seen(facts) : Result.succeed({ places: plannedIn(fixture), refused: [] })
        })
      )
    )
    yield* expectRefusals(race(creations), { Seen: 4 })
    assert.strictEqual((yield* snapshotOf(fixture)).totals.length, 4)
  })
}
