/** Laws of the lists of people inside. */
import { AdministratorId, PersonInsideOrder } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aDeletionRequest,
  anOrganization,
  enter,
  leave,
  removePlace,
  someAdministrator,
  setTrackingMode,
  MISSING_PREMISES
} from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { refused, same } from "../../shared/outcome.ts"
import { anOrganizationWithPlaces, aVisitor, insideOf, minute } from "../../shared/musters.ts"

export const insideLaws: Laws = (it) => {
  it("who is inside is listed by person, with the places of an organization, since the entrance", function* () {
    const { fixture, hall, yard, inHall, inYard } = yield* anOrganizationWithPlaces
    const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
    same(yield* insideOf(fixture.premises, viewer), [])
    same(yield* insideOf(inHall, viewer), [])
    const [ada, bob] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inYard, minute(-3))
    yield* ada.enters(inHall, minute(-2))
    yield* ada.enters(fixture.premises, minute(-1))
    const inside = yield* bob.enters(inHall, NOW)
    const of = (orgAuthServerId: typeof ada.person, since: typeof NOW, placeId?: typeof hall.id) => ({
      orgAuthServerId,
      placeId,
      since
    })
    const all = [
      of(ada.person, minute(-1)),
      of(ada.person, minute(-2), hall.id),
      of(ada.person, minute(-3), yard.id),
      of(bob.person, NOW, hall.id)
    ].sort(PersonInsideOrder)
    same(yield* insideOf(fixture.premises, viewer), all)
    same(
      yield* insideOf(inHall, viewer),
      all.filter(({ placeId }) => placeId === hall.id)
    )
    yield* leave(inside, { by: bob.user })
    same(yield* insideOf(inHall, viewer), [of(ada.person, minute(-2), hall.id)])
    yield* removePlace(fixture, yard)
    same(yield* insideOf(fixture.premises, viewer), [of(ada.person, minute(-1)), of(ada.person, minute(-2), hall.id)])
    yield* refused(insideOf(inYard, viewer), "PremisesNotFound")
  })

  it("what is missing is refused first, then who may not read, then an anonymous organization", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const stranger = someAdministrator()
    for (const premises of MISSING_PREMISES) yield* refused(insideOf(premises, stranger), "PremisesNotFound")
    for (const premises of [fixture.premises, inHall]) {
      yield* refused(insideOf(premises, stranger), "PermissionTooLow")
    }
    const visitor = yield* aVisitor(fixture)
    yield* visitor.enters(inHall)
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* enter(inHall)
    for (const premises of [fixture.premises, inHall]) {
      yield* refused(insideOf(premises, stranger), "PermissionTooLow")
      yield* refused(insideOf(premises, fixture.owner), "PeopleNotTracked")
    }
    yield* setTrackingMode(fixture.id, "authenticated")
    const people = (yield* insideOf(inHall, fixture.owner)).map(({ orgAuthServerId }) => orgAuthServerId)
    assert.deepStrictEqual(people, [visitor.person])
  })

  it("a list is of its own organization alone", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const other = yield* anOrganization({ trackingMode: "authenticated" })
    const visitor = yield* aVisitor(other)
    yield* visitor.enters(other.premises)
    same(yield* insideOf(fixture.premises, fixture.owner), [])
    yield* refused(insideOf(other.premises, fixture.owner), "PermissionTooLow")
    yield* refused(insideOf(fixture.premises, AdministratorId.make(visitor.person)), "PermissionTooLow")
    yield* aDeletionRequest(fixture)
    same(yield* insideOf(fixture.premises, fixture.owner), [])
  })
}
