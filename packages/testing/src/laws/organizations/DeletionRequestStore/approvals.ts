/** Laws of `DeletionRequestStore` for approvals, which delete an organization with its data. */
import {
  AccountLinkStore,
  DeletionRequestStore,
  FavoriteStore,
  OrganizationStore,
  PermissionStore,
  PlacePremises
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aDeletionRequest,
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  favoritesOf,
  leave,
  OPERATOR,
  placesOf,
  aPerson,
  someUser,
  setTrackingMode,
  timesIn
} from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const approvalLaws: Laws = (law) => {
  law("an approval deletes the organization with all that it owns, and nothing else", function* () {
    const [fixture, other] = [yield* anOrganization({ trackingMode: "authenticated" }), yield* anOrganization()]
    const place = yield* aPlace(fixture)
    const here = PlacePremises(place.id)
    const organizationId = fixture.id
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const person = aPerson()
    const user = yield* aUserLinkedTo(organizationId, person)
    yield* aUserLinkedTo(other.organization.id, person, user)
    const favorites = yield* FavoriteStore
    yield* favorites.add({ userId: user, organizationId, creationDate: NOW })
    yield* favorites.add({ userId: user, organizationId: other.organization.id, creationDate: NOW })
    for (const premises of [fixture.premises, here]) {
      yield* leave(yield* enter(premises, { by: user }), { by: user })
      yield* enter(premises, { by: user })
    }
    yield* setTrackingMode(organizationId, "anonymous")
    const stays = yield* Effect.forEach([fixture.premises, here], (premises) => enter(premises))
    const closed = yield* Effect.forEach([fixture.premises, here], (premises) => enter(premises))
    yield* Effect.forEach(closed, (stay) => leave(stay))
    yield* enter(other.premises)

    yield* deleteOrganization(fixture)

    for (const premises of [fixture.premises, here]) {
      yield* refused(countIn(premises, fixture), "PremisesNotFound")
      same(yield* closedOf(premises, fixture, [...stays, ...closed]), [])
      yield* refused(closedBy(premises, fixture, [person]), "PremisesNotFound")
      yield* refused(enter(premises), "PremisesNotFound")
      assert.isTrue(Option.isNone(yield* PermissionStore.use((store) => store.membership(premises, fixture.owner))))
      assert.isTrue(Option.isNone(yield* AccountLinkStore.use((store) => store.tie(premises, user))))
    }
    for (const stay of [...stays, ...closed]) yield* refused(leave(stay), "PremisesNotFound")
    assert.isTrue(Option.isNone(yield* OrganizationStore.use((store) => store.get(organizationId))))
    same(yield* placesOf(organizationId), [])
    yield* refused(timesIn(place.id, fixture), "PremisesNotFound")
    same(yield* PermissionStore.use((store) => store.listByOrganization(organizationId)), [])
    same(yield* PermissionStore.use((store) => store.listByAdministrator(manager.administratorId)), [])
    same(yield* favoritesOf(user), [other.organization])
    yield* refused(
      AccountLinkStore.use((store) => store.remove(user, organizationId)),
      "AccountLinkNotFound"
    )
    assert.strictEqual(yield* countIn(other.premises, other), 1)
    const tie = yield* AccountLinkStore.use((store) => store.tie(other.premises, user))
    assert.isTrue(Option.isSome(tie) && Option.isSome(tie.value.linked))
  })

  law("the request outlives its organization, whose name is free again for one that has nothing of it", function* () {
    const fixture = yield* anOrganization()
    const { name, id } = fixture.organization
    yield* aPlace(fixture)
    yield* enter(fixture.premises)
    yield* deleteOrganization(fixture)
    const requests = yield* DeletionRequestStore.use((store) => store.list(Option.some("approved")))
    const kept = requests.find(({ organizationId }) => organizationId === id)
    assert.strictEqual(kept?.administratorId, fixture.owner)
    const next = yield* anOrganization({ name })
    assert.isTrue(next.organization.id > id)
    assert.strictEqual(yield* countIn(next.premises, next), 0)
    same(yield* placesOf(next.organization.id), [])
    const owners = yield* PermissionStore.use((store) => store.listByOrganization(next.organization.id))
    same(
      owners.map(({ administratorId }) => administratorId),
      [next.owner]
    )
  })

  law("an approval that races with movements leaves nothing counted and no token known", function* () {
    const fixture = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const before = yield* Effect.all(times(10, (n) => enter(n % 2 === 0 ? place : fixture.premises)))
    const request = yield* aDeletionRequest(fixture)
    const approve = DeletionRequestStore.use((store) =>
      store.conclude({ id: request.id, verdict: "approved", decidedBy: OPERATOR, now: NOW })
    )
    const [entered, left] = yield* Effect.all(
      [
        race(times(40, (n) => enter(n % 2 === 0 ? place : fixture.premises))),
        race(before.map((stay) => leave(stay))),
        approve
      ],
      { concurrency: "unbounded" }
    )
    assert.strictEqual(entered.succeeded.length + (entered.refusals["PremisesNotFound"] ?? 0), 40)
    assert.strictEqual(left.succeeded.length + (left.refusals["PremisesNotFound"] ?? 0), 10)
    const stays = [...before, ...entered.succeeded]
    for (const premises of [fixture.premises, place]) {
      yield* refused(countIn(premises, fixture), "PremisesNotFound")
      same(yield* closedOf(premises, fixture, stays), [])
    }
    for (const stay of stays) yield* refused(leave(stay), "PremisesNotFound")
  })

  law("an approval that races with everything else leaves nothing of the organization", function* () {
    const fixture = yield* anOrganization()
    const { id } = fixture.organization
    const request = yield* aDeletionRequest(fixture)
    const users = times(10, () => someUser())
    const favorites = yield* FavoriteStore
    const approve = DeletionRequestStore.use((store) =>
      store.conclude({ id: request.id, verdict: "approved", decidedBy: OPERATOR, now: NOW })
    )
    const { refusals } = yield* race([
      ...users.map((userId) => favorites.add({ userId, organizationId: id, creationDate: NOW })),
      ...users.map((userId) => Effect.asVoid(aUserLinkedTo(id, aPerson(), userId))),
      Effect.asVoid(aPlace(fixture)),
      Effect.asVoid(aBoundAdministrator(fixture, "viewer")),
      Effect.asVoid(setTrackingMode(id, "authenticated")),
      Effect.asVoid(approve)
    ])
    // A user may come to add a favorite after the organization began to know people, and before they are linked.
    const expected = ["OrganizationNotFound", "NotLinked"]
    assert.deepStrictEqual(
      Object.keys(refusals).filter((tag) => !expected.includes(tag)),
      []
    )
    for (const user of users) same(yield* favoritesOf(user), [])
    same(yield* placesOf(id), [])
    same(yield* PermissionStore.use((store) => store.listByOrganization(id)), [])
    assert.isTrue(Option.isNone(yield* OrganizationStore.use((store) => store.get(id))))
  })
}
