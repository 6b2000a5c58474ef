/** Laws of `PlaceStore` for levels and parents of places. The changes are those of the service `Places`. */
import { type OrganizationId, PlaceStore, type PlaceUpdate, boundsOf } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rectangleArea } from "../../../arbitraries/areas.ts"
import { anOrganization, type OrganizationFixture, placesOf, cell } from "../../shared/fixtures.ts"
import { seen, pluck, concurrently, expectRefusals, race, refused, same, times } from "../../shared/outcome.ts"
import { eventsSince, versionOf } from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"
import { deletePlace, editPlace, makePlace } from "./servers.ts"

/** A building with two floors and a room on the second one, which has no level of its own. */
const aBuilding = Effect.fnUntraced(function* (fixture: OrganizationFixture) {
  const building = yield* makePlace(fixture)
  const first = yield* makePlace(fixture, { level: 1, parentId: building.id })
  const second = yield* makePlace(fixture, { level: 2, parentId: building.id })
  const room = yield* makePlace(fixture, { parentId: second.id, area: cell(0) })
  return { building, first, second, room }
})

const onFloor = (organizationId: OrganizationId, floor: number) =>
  PlaceStore.use((store) => Effect.map(store.list(organizationId, undefined, undefined, floor), ({ items }) => items))

export const placeHierarchyLaws: Laws = (it) => {
  it("a place is kept with its level and parent, and listed on its floor, which follows that of its ancestors", function* (fixture) {
    const { building, first, second, room } = yield* aBuilding(fixture)
    same(yield* placesOf(fixture.id), [building, first, second, room])
    same(yield* onFloor(fixture.id, 0), [building])
    same(yield* onFloor(fixture.id, 2), [second, room])
    same(yield* onFloor(fixture.id, 3), [])
    const raised = yield* editPlace(fixture, second, { level: 3 })
    same(raised, { ...second, level: 3 })
    same(yield* onFloor(fixture.id, 2), [])
    same(yield* onFloor(fixture.id, 3), [raised, room])
    const moved = yield* editPlace(fixture, room, { parentId: first.id })
    same(yield* onFloor(fixture.id, 1), [first, moved])
    const free = yield* editPlace(fixture, moved, { parentId: null, level: -1 })
    same(free, { ...room, parentId: undefined, level: -1 })
    same(yield* onFloor(fixture.id, -1), [free])
    const basement = yield* editPlace(fixture, building, { level: -2 })
    same(yield* onFloor(fixture.id, -2), [basement])
    same(yield* onFloor(fixture.id, 1), [first])
  })

  it("a new place is decided on its parent and the places on its floor, and a change of position on all its parts", function* (fixture) {
    const { building, first, second, room } = yield* aBuilding(fixture)
    const store = yield* PlaceStore
    const creation = {
      organizationId: fixture.id,
      administratorId: fixture.owner,
      bounds: boundsOf(rectangleArea(cell(1))),
      parentId: second.id
    }
    const { facts } = yield* refused(store.create({ ...creation, decide: seen }), "Seen")
    const positions = facts.near.map(({ id, floor, ancestors }) => ({ id, floor, ancestors }))
    same(positions, [
      { id: second.id, floor: 2, ancestors: [building.id] },
      { id: room.id, floor: 2, ancestors: [building.id, second.id] }
    ])
    same((yield* store.previewCreation(creation)).facts, facts)
    const update = { placeId: second.id, administratorId: fixture.owner, bounds: undefined }
    const nearBy = (change: Partial<PlaceUpdate>) =>
      Effect.map(store.previewUpdate({ ...update, ...change }), ({ facts: { near } }) => pluck(near, "id"))
    same(yield* nearBy({ level: 1 }), [building.id, first.id, room.id])
    same(yield* nearBy({ level: null, parentId: null }), [building.id, room.id])
    same((yield* store.previewUpdate(update)).facts.self.ancestors, [building.id])
    same(yield* nearBy({ bounds: boundsOf(rectangleArea(cell(7))) }), [building.id, room.id])
  })

  it("an event of a place has its level and parent, and a change of an ancestor is no event of its descendants", function* (fixture) {
    const { building, first, second, room } = yield* aBuilding(fixture)
    const made = [building, first, second, room].map(({ id, level, parentId }) => ({
      _tag: "PlaceChanged",
      placeId: id,
      changed: "created",
      level,
      parentId
    }))
    same(yield* eventsSince(fixture), made)
    const before = yield* versionOf(fixture)
    yield* editPlace(fixture, second, { level: 3 })
    yield* deletePlace(fixture, room)
    same(yield* eventsSince(fixture, before), [
      { _tag: "PlaceChanged", placeId: second.id, changed: "updated", level: 3, parentId: building.id },
      { _tag: "PlaceChanged", placeId: room.id, changed: "deleted" }
    ])
  })

  it("a place with parts is not removed", function* (fixture) {
    const { building, first, second, room } = yield* aBuilding(fixture)
    yield* refused(deletePlace(fixture, building), "PlaceHasParts")
    yield* refused(deletePlace(fixture, second), "PlaceHasParts")
    same(yield* placesOf(fixture.id), [building, first, second, room])
    for (const place of [room, second, first, building]) yield* deletePlace(fixture, place)
    same(yield* placesOf(fixture.id), [])
  })

  it("of 10 places that come to one floor at the same moment one does", function* (fixture) {
    const places = yield* Effect.all(times(10, (n) => makePlace(fixture, { level: n + 1 })))
    yield* expectRefusals(race(places.map((place) => editPlace(fixture, place, { level: 0 }))), { PlacesOverlap: 9 })
    same((yield* onFloor(fixture.id, 0)).length, 1)
  })

  it("two places that become parts of each other at the same moment do not both", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const [one, other] = [yield* makePlace(fixture, { level: 1 }), yield* makePlace(fixture, { level: 2 })]
      yield* expectRefusals(
        race([editPlace(fixture, one, { parentId: other.id }), editPlace(fixture, other, { parentId: one.id })]),
        { ParentInsidePlace: 1 }
      )
    }
  })

  it("a place that is removed while a part of it is created has no parts", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const parent = yield* makePlace(fixture)
      const [removed, created] = yield* concurrently([
        race([deletePlace(fixture, parent)]),
        race([makePlace(fixture, { parentId: parent.id })])
      ])
      const places = yield* placesOf(fixture.id)
      if (removed.succeeded.length === 1) same([created.refusals, places], [{ ParentNotFound: 1 }, []])
      else assert.deepStrictEqual([removed.refusals, places.length], [{ PlaceHasParts: 1 }, 2])
    }
  })
}
