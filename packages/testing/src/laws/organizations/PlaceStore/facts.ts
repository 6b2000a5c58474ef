/** Laws for the facts that a `PlaceStore` passes to the decision on a place. */
import {
  type AdministratorId,
  type Place,
  PlacePremises,
  type PlaceRecord,
  PlaceStore,
  areaWeight,
  boundsOf
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { type GridRectangle, rectangleArea, wholeGrid } from "../../../arbitraries/areas.ts"
import {
  aBoundAdministrator,
  aPlace,
  changeOrganization,
  changePlace,
  countIn,
  enter,
  type OrganizationFixture,
  placesOf,
  removePlace,
  someAdministrator,
  cell
} from "../../shared/fixtures.ts"
import { withdraw } from "../../shared/permissions.ts"
import { seen, refused, same } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

/**
 * The facts that a creation within a rectangle is decided on. The decision refuses, so nothing is created. They are the same without
 * the lock.
 */
const factsOfCreation = Effect.fnUntraced(function* (
  { id }: OrganizationFixture,
  administratorId: AdministratorId,
  rectangle: GridRectangle = wholeGrid(8)
) {
  const store = yield* PlaceStore
  const creation = { organizationId: id, administratorId, bounds: boundsOf(rectangleArea(rectangle)) }
  const { facts } = yield* refused(store.create({ ...creation, decide: seen }), "Seen")
  same((yield* store.previewCreation(creation)).facts, facts)
  return facts
})

/**
 * The facts that an update is decided on, with a new area or without. The decision refuses, so nothing changes. They are the same
 * without the lock.
 */
const factsOfUpdate = Effect.fnUntraced(function* (place: Place, administratorId: AdministratorId, to?: GridRectangle) {
  const store = yield* PlaceStore
  const update = { placeId: place.id, administratorId, bounds: to && boundsOf(rectangleArea(to)) }
  const { facts } = yield* refused(store.update({ ...update, decide: seen }), "Seen")
  same((yield* store.previewUpdate(update)).facts, facts)
  return facts
})

const levelOfRemoval = (place: Place, administratorId: AdministratorId) =>
  PlaceStore.use((store) => {
    const refusal = store.remove({ placeId: place.id, administratorId, decide: seen })
    return Effect.map(refused(refusal, "Seen"), ({ facts }) => Option.getOrUndefined(facts.level))
  })

const records = (places: ReadonlyArray<PlaceRecord>) =>
  places.map(({ id, trackingArea: { text }, bounds }) => ({ id, text, bounds }))
const recordsOf = (places: ReadonlyArray<Place>) =>
  places.map(({ id, trackingArea }) => ({ id, text: trackingArea.text, bounds: boundsOf(trackingArea) }))
const totals = (places: ReadonlyArray<Place>) => ({
  places: places.length,
  points: places.reduce((sum, { trackingArea }) => sum + areaWeight(trackingArea), 0)
})

export const placeFactLaws: Laws = (it) => {
  it("a change of a place is decided on its organization's area and the organization's other places nearby", function* (fixture, other) {
    const one = yield* aPlace(fixture, cell(0))
    const two = yield* aPlace(fixture, cell(1))
    const far = yield* aPlace(fixture, cell(5))
    yield* aPlace(other)
    const creation = yield* factsOfCreation(fixture, fixture.owner, cell(1))
    same(creation.organizationArea.text, fixture.organization.trackingArea.text)
    same(records(creation.near), recordsOf([one, two]))
    same(creation.others, totals([one, two, far]))
    same(records((yield* factsOfCreation(fixture, fixture.owner)).near), recordsOf([one, two, far]))
    const update = yield* factsOfUpdate(one, fixture.owner, cell(0))
    same(update.place, one)
    same(records([update.self]), recordsOf([one]))
    same(update.organizationArea.text, fixture.organization.trackingArea.text)
    same(records(update.near), recordsOf([two]))
    same(update.others, totals([two, far]))
    same((yield* factsOfUpdate(one, fixture.owner)).near, [])
  })

  it("a change of a place is decided on areas and totals as other changes left them", function* (fixture) {
    const [one, two] = [yield* aPlace(fixture, cell(0)), yield* aPlace(fixture, cell(1))]
    const trackingArea = rectangleArea(cell(3))
    const moved = yield* changePlace(fixture, one, (before) => ({ ...before, trackingArea }), trackingArea)
    const renamed = yield* changePlace(fixture, two, (before) => ({ ...before, name: "Hall" }))
    const facts = yield* factsOfCreation(fixture, fixture.owner)
    same([records(facts.near), facts.others], [recordsOf([moved, renamed]), totals([moved, renamed])])
    yield* removePlace(fixture, two)
    const later = yield* factsOfCreation(fixture, fixture.owner)
    same([records(later.near), later.others], [recordsOf([moved]), totals([moved])])
  })

  it("a change of a place is not decided on a preview after another change", function* (fixture) {
    const store = yield* PlaceStore
    const place = yield* aPlace(fixture, cell(0))
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    const creation = { organizationId: fixture.id, administratorId, bounds: boundsOf(rectangleArea(wholeGrid(8))) }
    const update = { placeId: place.id, administratorId, bounds: creation.bounds }
    const area = rectangleArea(wholeGrid(9))
    const changes: ReadonlyArray<() => Effect.Effect<unknown, unknown, any>> = [
      () => Effect.void,
      () => aPlace(fixture, cell(1)),
      () =>
        changePlace(
          fixture,
          place,
          (before) => ({ ...before, trackingArea: rectangleArea(cell(2)) }),
          rectangleArea(cell(2))
        ),
      () => changeOrganization(fixture.id, (before) => ({ ...before, trackingArea: area })),
      () => withdraw(fixture.id, fixture.owner, administratorId)
    ]
    for (const change of changes) {
      const [ofCreation, ofUpdate] = [yield* store.previewCreation(creation), yield* store.previewUpdate(update)]
      yield* Effect.orDie(change())
      const created = yield* refused(store.create({ ...creation, preview: ofCreation, decide: seen }), "Seen")
      same(created.facts, (yield* store.previewCreation(creation)).facts)
      const updated = yield* refused(store.update({ ...update, preview: ofUpdate, decide: seen }), "Seen")
      same(updated.facts, (yield* store.previewUpdate(update)).facts)
    }
    yield* removePlace(fixture, place)
    yield* refused(store.previewUpdate(update), "PlaceNotFound")
  })

  it("a change of a place is decided on the administrator's level in its organization", function* (fixture, other) {
    const place = yield* aPlace(fixture)
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    const expected = [
      [fixture.owner, "owner"],
      [viewer.administratorId, "viewer"],
      [other.owner, undefined],
      [someAdministrator(), undefined]
    ] as const
    for (const [administratorId, level] of expected) {
      assert.strictEqual(Option.getOrUndefined((yield* factsOfCreation(fixture, administratorId)).level), level)
      assert.strictEqual(Option.getOrUndefined((yield* factsOfUpdate(place, administratorId)).level), level)
      assert.strictEqual(yield* levelOfRemoval(place, administratorId), level)
    }
  })

  it("a change of a place that is refused changes nothing", function* (fixture) {
    const place = yield* aPlace(fixture)
    yield* enter(PlacePremises(place.id))
    yield* factsOfCreation(fixture, fixture.owner)
    yield* factsOfUpdate(place, fixture.owner)
    yield* levelOfRemoval(place, fixture.owner)
    same(yield* placesOf(fixture.id), [place])
    assert.strictEqual(yield* countIn(PlacePremises(place.id), fixture), 1)
  })
}
