/** Laws of `PlaceStore` for creating, changing, removing and listing places. */
import {
  AccountLinkStore,
  PermissionStore,
  type Place,
  PlacePremises,
  PlaceStore,
  boundsOf,
  parseTrackingArea,
  placeName,
  PlaceId
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { rectangle, rectangleArea } from "../../../arbitraries/areas.ts"
import { maybe } from "../../../arbitraries/choice.ts"
import { text } from "../../../arbitraries/text.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  aPlaceOf,
  aUserLinkedTo,
  changePlace,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  leave,
  placesOf,
  removePlace,
  someAdministrator,
  aPerson,
  someUser,
  setTrackingMode,
  timesIn,
  NO_ORGANIZATION,
  neverCreated,
  NO_PLACE,
  cell,
  displayOf
} from "../../shared/fixtures.ts"
import { withdraw } from "../../shared/permissions.ts"
import { allSucceed, refused, same, times, concurrently, readPages } from "../../shared/outcome.ts"
import { type Laws } from "../../shared/suite.ts"

const quarter = (index: number) => ({ left: 2 * index, bottom: 0, right: 2 * index + 2, top: 2 })

export const placeRecordLaws: Laws = (it) => {
  it.prop(
    "a place is kept exactly as it was given, and as it was changed",
    { name: maybe(text(0, 128)), rectangle: rectangle(8), later: maybe(text(0, 128)), moved: rectangle(8) },
    function* ({ name, rectangle, later, moved }) {
      const fixture = yield* anOrganization()
      const place = yield* aPlace(fixture, rectangle, name)
      const organizationId = fixture.id
      const expected = { id: place.id, organizationId, name, trackingArea: rectangleArea(rectangle) }
      const called = (given: string | undefined) => given ?? `Place ${place.id}`
      same({ ...place, name: placeName(place) }, { ...expected, name: called(name) })
      const [listed] = yield* placesOf(organizationId)
      same(listed, place)
      const decided = { ...expected, name: later, trackingArea: rectangleArea(moved) }
      const changed = yield* changePlace(fixture, place, () => decided, decided.trackingArea)
      same({ ...changed, name: placeName(changed) }, { ...decided, name: called(later) })
      same(yield* placesOf(organizationId), [changed])
    }
  )

  const byId = (one: Place, other: Place) => (one.id < other.id ? -1 : 1)

  it("the list is in the order of ids, and the id of a removed place is never used again", function* (fixture, other) {
    const first = yield* aPlace(fixture, quarter(0))
    const second = yield* aPlace(fixture, quarter(1))
    const third = yield* aPlace(fixture, quarter(2))
    yield* removePlace(fixture, third)
    const fourth = yield* aPlace(fixture, quarter(2))
    const elsewhere = yield* aPlace(other)
    const ids = [first.id, second.id, third.id, fourth.id, elsewhere.id]
    assert.strictEqual(new Set(ids).size, 5)
    same(yield* placesOf(fixture.id), [first, second, fourth].sort(byId))
    same(yield* placesOf(other.id), [elsewhere])
    same(yield* placesOf(NO_ORGANIZATION), [])
    yield* deleteOrganization(other)
    same(yield* placesOf(other.id), [])
  })

  it("the places of an organization are listed for its administrators and displays, and for no others", function* (fixture, other) {
    const store = yield* PlaceStore
    const { id } = fixture
    const place = yield* aPlace(fixture)
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    for (const reader of [fixture.owner, administratorId, displayOf(fixture)]) {
      same(yield* store.list(id, undefined, reader), { items: [place], hasMore: false })
      same(yield* store.list(id, place.id, reader), { items: [], hasMore: false })
    }
    for (const stranger of [other.owner, someAdministrator(), displayOf(other)]) {
      yield* refused(store.list(id, undefined, stranger), "PermissionTooLow")
    }
    yield* withdraw(id, fixture.owner, administratorId)
    yield* refused(store.list(id, undefined, administratorId), "PermissionTooLow")
    yield* deleteOrganization(fixture)
    for (const reader of [fixture.owner, displayOf(fixture)]) {
      yield* refused(store.list(id, undefined, reader), "PremisesNotFound")
    }
  })

  it("pages that are asked for at one moment are answered each for its own reader, organization and begin", function* () {
    const store = yield* PlaceStore
    const fixtures = yield* Effect.all(times(3, () => anOrganization()))
    const places = yield* Effect.forEach(fixtures, (fixture, n) =>
      Effect.all(times(n + 1, (i) => aPlace(fixture, quarter(i))))
    )
    const asking = times(30, (i) => {
      const [n, { organization, owner }] = [i % 3, fixtures[i % 3]!]
      const first = places[n]![0]!.id
      const whole = { items: places[n], hasMore: false }
      return concurrently([
        Effect.map(store.list(organization.id), (page) => same(page, whole)),
        Effect.map(store.list(organization.id, undefined, owner), (page) => same(page, whole)),
        Effect.map(store.list(organization.id, first, owner), ({ items }) => same(items, places[n]!.slice(1))),
        refused(store.list(organization.id, undefined, fixtures[(n + 1) % 3]!.owner), "PermissionTooLow"),
        refused(store.list(NO_ORGANIZATION, first, owner), "PremisesNotFound")
      ])
    })
    yield* allSucceed(asking)
  })

  it("a list of places includes every place that was created before it was asked for", function* (fixture) {
    yield* concurrently(
      times(8, (n) =>
        Effect.gen(function* () {
          const place = yield* aPlace(fixture, cell(n))
          const listed = yield* placesOf(fixture.id)
          assert.isTrue(listed.some(({ id }) => id === place.id))
        })
      )
    )
  })

  it("a long list comes in pages, each of a bounded text, and all of them are the list", function* (fixture, other) {
    const store = yield* PlaceStore
    const { id } = fixture
    const padding = " ".repeat(100_000)
    const made: Array<Place> = []
    for (let n = 0; n < 9; n++) {
      const { text } = rectangleArea(cell(n))
      made.push(yield* aPlaceOf(fixture, Result.getOrThrow(parseTrackingArea(text + (n % 4 === 3 ? "" : padding)))))
      yield* aPlace(other)
    }
    same(yield* placesOf(id), made)
    same(
      yield* readPages(
        (after?: PlaceId) => store.list(id, after),
        (place) => place.trackingArea.text.length
      ),
      made
    )
    same(yield* store.list(id, made.at(-1)!.id), { items: [], hasMore: false })
    same(yield* store.list(id, made.at(-2)!.id), { items: made.slice(-1), hasMore: false })
  })

  it("no place is made in an organization that is not there, and none is changed that is not there", function* (fixture) {
    yield* refused(aPlace(neverCreated(fixture)), "OrganizationNotFound")
    const store = yield* PlaceStore
    const { owner: administratorId } = fixture
    const bounds = boundsOf(rectangleArea(quarter(0)))
    const creation = { organizationId: NO_ORGANIZATION, administratorId, bounds }
    yield* refused(store.previewCreation(creation), "OrganizationNotFound")
    const place = yield* aPlace(fixture)
    yield* removePlace(fixture, place)
    for (const placeId of [place.id, NO_PLACE]) {
      const gone = { ...place, id: placeId }
      yield* refused(removePlace(fixture, gone), "PlaceNotFound")
      yield* refused(
        changePlace(fixture, gone, (before) => before),
        "PlaceNotFound"
      )
      yield* refused(store.previewUpdate({ placeId, administratorId, bounds }), "PlaceNotFound")
    }
  })

  it("removing a place ends its stays, open and closed, and no others", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const place = yield* aPlace(fixture, quarter(0))
    const here = PlacePremises(place.id)
    const next = PlacePremises((yield* aPlace(fixture, quarter(1))).id)
    const [person, another] = [aPerson(), aPerson()]
    const by = yield* aUserLinkedTo(fixture.id, person)
    const other = yield* aUserLinkedTo(fixture.id, another)
    yield* leave(yield* enter(here, { by }), { by })
    yield* enter(here, { by })
    const elsewhere = yield* leave(yield* enter(next, { by }), { by })
    yield* enter(next, { by: other })
    yield* setTrackingMode(fixture.id, "anonymous")
    const open = yield* enter(here)
    const closed = yield* enter(here)
    yield* leave(closed)
    yield* enter(fixture.premises)

    yield* removePlace(fixture, place)

    yield* refused(countIn(here, fixture), "PremisesNotFound")
    same(yield* closedOf(here, fixture, [open, closed]), [])
    yield* refused(closedBy(here, fixture, [person]), "PremisesNotFound")
    yield* refused(timesIn(place.id, fixture), "PremisesNotFound")
    yield* refused(leave(open), "PremisesNotFound")
    yield* refused(leave(closed), "PremisesNotFound")
    yield* refused(enter(here), "PremisesNotFound")
    assert.strictEqual(yield* countIn(next, fixture), 1)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    same(yield* closedBy(next, fixture, [person]), [elsewhere])
  })

  it("a removed place has no membership and no ties", function* (fixture) {
    const place = yield* aPlace(fixture)
    const membership = PermissionStore.use((store) => store.membership(PlacePremises(place.id), someAdministrator()))
    const tie = AccountLinkStore.use((store) => store.tie(PlacePremises(place.id), someUser()))
    assert.isTrue(Option.isSome(yield* membership))
    assert.isTrue(Option.isSome(yield* tie))
    yield* removePlace(fixture, place)
    assert.isTrue(Option.isNone(yield* membership))
    assert.isTrue(Option.isNone(yield* tie))
  })
}
