/** Laws of the lists of people inside. */
import {
  AdministratorId,
  OrganizationId,
  OrganizationPremises,
  PersonInsideOrder,
  PlaceId,
  PlacePremises
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aDeletionRequest,
  anOrganization,
  enter,
  leave,
  removed,
  someAdministrator,
  tracks
} from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { refused, same } from "../../shared/outcome.ts"
import { aSite, aVisitor, insideOf, minute } from "../../shared/musterFixtures.ts"

export const insideLaws: Laws = (it) => {
  it.effect("who is inside is listed by person, with the places of an organization, since the entrance", () =>
    Effect.gen(function* () {
      const { ground, hall, yard, inHall, inYard } = yield* aSite
      const { administratorId: viewer } = yield* aBoundAdministrator(ground, "viewer")
      same(yield* insideOf(ground.premises, viewer), [])
      same(yield* insideOf(inHall, viewer), [])
      const [ada, bob] = [yield* aVisitor(ground), yield* aVisitor(ground)]
      yield* ada.enters(inYard, minute(-3))
      yield* ada.enters(inHall, minute(-2))
      yield* ada.enters(ground.premises, minute(-1))
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
      same(yield* insideOf(ground.premises, viewer), all)
      same(
        yield* insideOf(inHall, viewer),
        all.filter(({ placeId }) => placeId === hall.id)
      )
      yield* leave(inside, { by: bob.user })
      same(yield* insideOf(inHall, viewer), [of(ada.person, minute(-2), hall.id)])
      yield* removed(ground, yard)
      same(yield* insideOf(ground.premises, viewer), [of(ada.person, minute(-1)), of(ada.person, minute(-2), hall.id)])
      yield* refused(insideOf(inYard, viewer), "PremisesNotFound")
    })
  )

  it.effect("what is missing is refused first, then who may not read, then an anonymous organization", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const stranger = someAdministrator()
      yield* refused(
        insideOf(OrganizationPremises(OrganizationId.make(9223372036854775807n)), stranger),
        "PremisesNotFound"
      )
      yield* refused(insideOf(PlacePremises(PlaceId.make(9223372036854775807n)), stranger), "PremisesNotFound")
      for (const premises of [ground.premises, inHall]) {
        yield* refused(insideOf(premises, stranger), "PermissionTooLow")
      }
      const visitor = yield* aVisitor(ground)
      yield* visitor.enters(inHall)
      yield* tracks(ground.organization.id, "anonymous")
      yield* enter(inHall)
      for (const premises of [ground.premises, inHall]) {
        yield* refused(insideOf(premises, stranger), "PermissionTooLow")
        yield* refused(insideOf(premises, ground.owner), "PeopleNotTracked")
      }
      yield* tracks(ground.organization.id, "authenticated")
      const people = (yield* insideOf(inHall, ground.owner)).map(({ orgAuthServerId }) => orgAuthServerId)
      assert.deepStrictEqual(people, [visitor.person])
    })
  )

  it.effect("a list is of its own organization alone", () =>
    Effect.gen(function* () {
      const { ground } = yield* aSite
      const other = yield* anOrganization({ trackingMode: "authenticated" })
      const visitor = yield* aVisitor(other)
      yield* visitor.enters(other.premises)
      same(yield* insideOf(ground.premises, ground.owner), [])
      yield* refused(insideOf(other.premises, ground.owner), "PermissionTooLow")
      yield* refused(insideOf(ground.premises, AdministratorId.make(visitor.person)), "PermissionTooLow")
      yield* aDeletionRequest(ground)
      same(yield* insideOf(ground.premises, ground.owner), [])
    })
  )
}
