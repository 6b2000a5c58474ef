/** Laws of `PlaceStore` for creating, changing, removing and listing places. */
import {
  AccountLinkStore,
  OrganizationId,
  PAGE_ITEMS,
  PAGE_TEXT,
  PermissionStore,
  type Place,
  PlaceId,
  PlacePremises,
  PlaceStore,
  boundsOf,
  parseTrackingArea,
  placeName
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
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
  deleted,
  enter,
  leave,
  placesOf,
  removed,
  someAdministrator,
  aPerson,
  someUser,
  tracks,
  timesIn
} from "../../shared/fixtures.ts"
import { withdraw } from "../../accounts/PermissionStore/changes.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { generated, type Laws } from "../../shared/suite.ts"

const quarter = (index: number) => ({ left: 2 * index, bottom: 0, right: 2 * index + 2, top: 2 })

export const placeRecordLaws: Laws = (it, options) => {
  it.effect.prop(
    "a place is kept exactly as it was given, and as it was changed",
    { name: maybe(text(0, 128)), rectangle: rectangle(8), later: maybe(text(0, 128)), moved: rectangle(8) },
    ({ name, rectangle, later, moved }) =>
      Effect.gen(function* () {
        const ground = yield* anOrganization()
        const place = yield* aPlace(ground, rectangle, name)
        const organizationId = ground.organization.id
        const expected = { id: place.id, organizationId, name, trackingArea: rectangleArea(rectangle) }
        const called = (given: string | undefined) => given ?? `Place ${place.id}`
        same({ ...place, name: placeName(place) }, { ...expected, name: called(name) })
        const [listed] = yield* placesOf(organizationId)
        same(listed, place)
        const decided = { ...expected, name: later, trackingArea: rectangleArea(moved) }
        const changed = yield* changePlace(ground, place, () => decided, decided.trackingArea)
        same({ ...changed, name: placeName(changed) }, { ...decided, name: called(later) })
        same(yield* placesOf(organizationId), [changed])
      }),
    generated(options)
  )

  it.effect("ids rise, the list is in their order, and the id of a removed place is never used again", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const first = yield* aPlace(ground, quarter(0))
      const second = yield* aPlace(ground, quarter(1))
      const third = yield* aPlace(ground, quarter(2))
      yield* removed(ground, third)
      const fourth = yield* aPlace(ground, quarter(2))
      const elsewhere = yield* aPlace(other)
      const ids = [first.id, second.id, third.id, fourth.id, elsewhere.id]
      assert.isTrue(ids.every((id, index) => id > (ids[index - 1] ?? 0n)))
      same(yield* placesOf(ground.organization.id), [first, second, fourth])
      same(yield* placesOf(other.organization.id), [elsewhere])
      same(yield* placesOf(OrganizationId.make(9223372036854775807n)), [])
      yield* deleted(other)
      same(yield* placesOf(other.organization.id), [])
    })
  )

  it.effect("the places of an organization are listed for its administrators, and for no other administrator", () =>
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const { id } = ground.organization
      const place = yield* aPlace(ground)
      const { administratorId } = yield* aBoundAdministrator(ground, "viewer")
      for (const reader of [ground.owner, administratorId]) {
        same(yield* store.list(id, undefined, reader), { items: [place], hasMore: false })
        same(yield* store.list(id, place.id, reader), { items: [], hasMore: false })
      }
      for (const stranger of [other.owner, someAdministrator()]) {
        yield* refused(store.list(id, undefined, stranger), "PermissionTooLow")
      }
      yield* withdraw(id, ground.owner, administratorId)
      yield* refused(store.list(id, undefined, administratorId), "PermissionTooLow")
      yield* deleted(ground)
      yield* refused(store.list(id, undefined, ground.owner), "PremisesNotFound")
    })
  )

  it.effect("pages that are asked for at one moment are answered each for its own reader, organization and begin", () =>
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const grounds = yield* Effect.all(times(3, () => anOrganization()))
      const places = yield* Effect.forEach(grounds, (ground, n) =>
        Effect.forEach(
          times(n + 1, (i) => i),
          (i) => aPlace(ground, quarter(i))
        )
      )
      const asking = times(30, (i) => {
        const [n, { organization, owner }] = [i % 3, grounds[i % 3]!]
        const first = places[n]![0]!.id
        const whole = { items: places[n], hasMore: false }
        return Effect.all(
          [
            Effect.map(store.list(organization.id), (page) => same(page, whole)),
            Effect.map(store.list(organization.id, undefined, owner), (page) => same(page, whole)),
            Effect.map(store.list(organization.id, first, owner), ({ items }) => same(items, places[n]!.slice(1))),
            refused(store.list(organization.id, undefined, grounds[(n + 1) % 3]!.owner), "PermissionTooLow"),
            refused(store.list(OrganizationId.make(9223372036854775807n), first, owner), "PremisesNotFound")
          ],
          { concurrency: "unbounded" }
        )
      })
      same((yield* race(asking)).refusals, {})
    })
  )

  it.effect("a list of places includes every place that was created before it was asked for", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* Effect.all(
        times(8, (n) =>
          Effect.gen(function* () {
            const place = yield* aPlace(ground, { left: n, bottom: 0, right: n + 1, top: 1 })
            const listed = yield* placesOf(ground.organization.id)
            assert.isTrue(listed.some(({ id }) => id === place.id))
          })
        ),
        { concurrency: "unbounded" }
      )
    })
  )

  it.effect("a long list comes in pages, each of a bounded text, and all of them are the list", () =>
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const { id } = ground.organization
      const padding = " ".repeat(100_000)
      const made: Array<Place> = []
      for (let n = 0; n < 9; n++) {
        const { text } = rectangleArea({ left: n, bottom: 0, right: n + 1, top: 1 })
        made.push(yield* aPlaceOf(ground, Result.getOrThrow(parseTrackingArea(text + (n % 4 === 3 ? "" : padding)))))
        yield* aPlace(other)
      }
      same(yield* placesOf(id), made)
      let after: PlaceId | undefined
      let pages = 0
      do {
        const { items, hasMore } = yield* store.list(id, after)
        const lengths = items.map(({ trackingArea }) => trackingArea.text.length)
        assert.isAtMost(
          lengths.slice(0, -1).reduce((sum, length) => sum + length, 0),
          PAGE_TEXT
        )
        assert.isAtMost(items.length, PAGE_ITEMS)
        assert.isAbove(items.length, 0)
        pages++
        after = hasMore ? items.at(-1)?.id : undefined
      } while (after !== undefined)
      assert.isAbove(pages, 1)
      same(yield* store.list(id, made.at(-1)!.id), { items: [], hasMore: false })
      same(yield* store.list(id, made.at(-2)!.id), { items: made.slice(-1), hasMore: false })
    })
  )

  it.effect("no place is made in an organization that is not there, and none is changed that is not there", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const never = { ...ground.organization, id: OrganizationId.make(9223372036854775807n) }
      yield* refused(aPlace({ ...ground, organization: never }), "OrganizationNotFound")
      const store = yield* PlaceStore
      const { owner: administratorId } = ground
      const bounds = boundsOf(rectangleArea(quarter(0)))
      const creation = { organizationId: never.id, administratorId, bounds }
      yield* refused(store.factsOfCreation(creation), "OrganizationNotFound")
      const place = yield* aPlace(ground)
      yield* removed(ground, place)
      for (const placeId of [place.id, PlaceId.make(9223372036854775807n)]) {
        const gone = { ...place, id: placeId }
        yield* refused(removed(ground, gone), "PlaceNotFound")
        yield* refused(
          changePlace(ground, gone, (before) => before),
          "PlaceNotFound"
        )
        yield* refused(store.factsOfUpdate({ placeId, administratorId, bounds }), "PlaceNotFound")
      }
    })
  )

  it.effect("removing a place ends its stays, open and closed, and no others", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization({ trackingMode: "authenticated" })
      const place = yield* aPlace(ground, quarter(0))
      const here = PlacePremises(place.id)
      const next = PlacePremises((yield* aPlace(ground, quarter(1))).id)
      const [person, another] = [aPerson(), aPerson()]
      const by = yield* aUserLinkedTo(ground.organization.id, person)
      const other = yield* aUserLinkedTo(ground.organization.id, another)
      yield* leave(yield* enter(here, { by }), { by })
      yield* enter(here, { by })
      const elsewhere = yield* leave(yield* enter(next, { by }), { by })
      yield* enter(next, { by: other })
      yield* tracks(ground.organization.id, "anonymous")
      const open = yield* enter(here)
      const closed = yield* enter(here)
      yield* leave(closed)
      yield* enter(ground.premises)

      yield* removed(ground, place)

      yield* refused(countIn(here, ground), "PremisesNotFound")
      same(yield* closedOf(here, ground, [open, closed]), [])
      yield* refused(closedBy(here, ground, [person]), "PremisesNotFound")
      yield* refused(timesIn(place.id, ground), "PremisesNotFound")
      yield* refused(leave(open), "PremisesNotFound")
      yield* refused(leave(closed), "PremisesNotFound")
      yield* refused(enter(here), "PremisesNotFound")
      assert.strictEqual(yield* countIn(next, ground), 1)
      assert.strictEqual(yield* countIn(ground.premises, ground), 1)
      same(yield* closedBy(next, ground, [person]), [elsewhere])
    })
  )

  it.effect("a removed place has no membership and no ties", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      const membership = PermissionStore.use((store) => store.membership(PlacePremises(place.id), someAdministrator()))
      const tie = AccountLinkStore.use((store) => store.tie(PlacePremises(place.id), someUser()))
      assert.isTrue(Option.isSome(yield* membership))
      assert.isTrue(Option.isSome(yield* tie))
      yield* removed(ground, place)
      assert.isTrue(Option.isNone(yield* membership))
      assert.isTrue(Option.isNone(yield* tie))
    })
  )
}
