/** Laws for the facts that a `PlaceStore` passes to the decision on a place. */
import {
  type AdministratorId,
  type AreaRecord,
  type Place,
  type PlaceFacts,
  PlacePremises,
  PlaceStore,
  areaWeight,
  boundsOf
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { type GridRectangle, rectangleArea, wholeGrid } from "../../../arbitraries/areas.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  changePlace,
  countIn,
  enter,
  type OrganizationFixture,
  placesOf,
  removePlace,
  someAdministrator,
  cell
} from "../../shared/fixtures.ts"
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
  same(yield* store.factsOfCreation(creation), facts)
  return facts
})

/**
 * The facts that an update is decided on, with a new area or without. The decision refuses, so nothing changes. They are the same
 * without the lock.
 */
const factsOfUpdate = Effect.fnUntraced(function* (place: Place, administratorId: AdministratorId, to?: GridRectangle) {
  const store = yield* PlaceStore
  const update = { placeId: place.id, administratorId, bounds: to && boundsOf(rectangleArea(to)) }
  const decide = (before: Place, facts: PlaceFacts) => Result.fail({ _tag: "Seen" as const, before, facts })
  const decided = yield* refused(store.update({ ...update, decide }), "Seen")
  same(yield* store.factsOfUpdate(update), [decided.before, decided.facts])
  return decided
})

const levelOfRemoval = (place: Place, administratorId: AdministratorId) =>
  PlaceStore.use((store) => {
    const refusal = store.remove({ placeId: place.id, administratorId, decide: seen })
    return Effect.map(refused(refusal, "Seen"), ({ facts }) => Option.getOrUndefined(facts.level))
  })

const records = (places: ReadonlyArray<AreaRecord>) => places.map(({ id, bounds }) => ({ id, bounds }))
const recordsOf = (places: ReadonlyArray<Place>) =>
  places.map(({ id, trackingArea }) => ({ id, bounds: boundsOf(trackingArea) }))
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
    same(creation.organizationArea, fixture.organization.trackingArea)
    same(records(creation.near), recordsOf([one, two]))
    same(creation.others, totals([one, two, far]))
    same(records((yield* factsOfCreation(fixture, fixture.owner)).near), recordsOf([one, two, far]))
    const update = yield* factsOfUpdate(one, fixture.owner, cell(0))
    same(update.before, one)
    same(update.facts.organizationArea, fixture.organization.trackingArea)
    same(records(update.facts.near), recordsOf([two]))
    same(update.facts.others, totals([two, far]))
    same((yield* factsOfUpdate(one, fixture.owner)).facts.near, [])
  })

  it("an area has the version that it is read with until it changes, and stays where it is when it is renamed", function* (fixture) {
    const store = yield* PlaceStore
    const { id: organizationId } = fixture
    const [one, two] = [yield* aPlace(fixture, cell(0)), yield* aPlace(fixture, cell(1))]
    const near = Effect.map(factsOfCreation(fixture, fixture.owner), (facts) => facts.near)
    const read = Effect.map(store.areas(organizationId, [two.id, one.id]), (areas) =>
      areas.map(({ id, version, trackingArea: { text } }) => ({ id, version, text }))
    )
    const asFacts = (places: ReadonlyArray<Place>) =>
      Effect.map(near, (facts) =>
        places.map(({ id, trackingArea: { text } }) => ({
          id,
          version: facts.find((fact) => fact.id === id)?.version,
          text
        }))
      )
    same(yield* read, yield* asFacts([one, two]))
    const before = yield* near
    const trackingArea = rectangleArea(cell(3))
    const moved = yield* changePlace(fixture, one, (before) => ({ ...before, trackingArea }), trackingArea)
    const after = yield* near
    same(records(after), recordsOf([moved, two]))
    assert.notStrictEqual(after[0]!.version, before[0]!.version)
    assert.strictEqual(after[1]!.version, before[1]!.version)
    same(yield* read, yield* asFacts([moved, two]))
    yield* changePlace(fixture, two, (before) => ({ ...before, name: "Hall" }))
    same(records(yield* near), recordsOf([moved, two]))
    same((yield* factsOfCreation(fixture, fixture.owner)).others, totals([moved, two]))
    yield* removePlace(fixture, two)
    same(yield* read, yield* asFacts([moved]))
    same((yield* factsOfCreation(fixture, fixture.owner)).others, totals([moved]))
    const other = yield* anOrganization()
    same(yield* store.areas(other.id, [one.id]), [])
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
      assert.strictEqual(Option.getOrUndefined((yield* factsOfUpdate(place, administratorId)).facts.level), level)
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
