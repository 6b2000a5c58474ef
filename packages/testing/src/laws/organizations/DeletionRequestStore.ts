/** Laws of `DeletionRequestStore`: requests, decisions, and approvals, which delete an organization with its data. */
import { assert } from "@effect/vitest"
import {
  AccountLinkStore,
  type AdministratorId,
  DeletionRequestId,
  type DeletionRequestStatus,
  DeletionRequestStore,
  FavoriteStore,
  OperatorId,
  OrganizationStore,
  PermissionStore,
  PlacePremises
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { NOW, after } from "../../arbitraries/times.ts"
import {
  NEVER_ISSUED,
  type OrganizationFixture,
  aBoundAdministrator,
  aDeletionRequest,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  favoritesOf,
  leave,
  neverCreated,
  placesOf,
  setTrackingMode,
  someAdministrator,
  someUser,
  timesIn,
  aPlaceToEnter,
  conclude,
  unlink
} from "../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, concurrently, expectRefusals, pluck } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"
import { permissionsIn, permissionsOf } from "../shared/permissions.ts"

/** Lists the requests of the given organizations only, since a database may contain others. */
const listOf = (fixtures: ReadonlyArray<OrganizationFixture>, status?: DeletionRequestStatus) =>
  DeletionRequestStore.use((store) =>
    Effect.map(store.list(Option.fromUndefinedOr(status)), (requests) =>
      requests.filter(({ organizationId }) => pluck(fixtures, "id").includes(organizationId))
    )
  )

const requestAs = ({ id }: OrganizationFixture, administratorId: AdministratorId, named?: AdministratorId) =>
  DeletionRequestStore.use((store) =>
    store.request({ organizationId: id, administratorId, named, reason: undefined, now: NOW })
  )

const pendingOf = ({ id, owner }: OrganizationFixture) =>
  DeletionRequestStore.use((store) => store.pending({ organizationId: id, administratorId: owner }))

const requestLaws: Laws = (it) => {
  it("a request is kept pending as it was made, and deletes nothing", function* (fixture, silent) {
    const request = yield* aDeletionRequest(fixture, "moved, 'away' 漢 😀", after(NOW, 5))
    same(request, {
      id: request.id,
      organizationId: fixture.id,
      administratorId: fixture.owner,
      reason: "moved, 'away' 漢 😀",
      creationDate: after(NOW, 5),
      status: "pending"
    })
    assert.strictEqual((yield* aDeletionRequest(silent)).reason, undefined)
    same((yield* listOf([fixture]))[0], request)
    assert.isTrue(Option.isSome(yield* OrganizationStore.use((store) => store.get(fixture.id))))
  })

  it("while a request is pending another one answers it unchanged", function* (fixture) {
    const first = yield* aDeletionRequest(fixture, "first")
    same(yield* aDeletionRequest(fixture, "second", after(NOW, 1000)), first)
    same(yield* listOf([fixture]), [first])
  })

  it("of 20 requests for one organization at the same moment one is kept, and answered to all", function* (fixture) {
    const succeeded = yield* allSucceed(times(20, (n) => aDeletionRequest(fixture, `reason ${n}`)))
    for (const request of succeeded) same(request, succeeded[0])
    same(yield* listOf([fixture]), [succeeded[0]])
  })

  it("a request is an owner's, in their own name, and a refusal keeps none", function* (fixture, other) {
    const { administratorId: manager } = yield* aBoundAdministrator(fixture, "manager")
    for (const administratorId of [manager, other.owner, someAdministrator()]) {
      yield* refused(requestAs(fixture, administratorId, fixture.owner), "PermissionTooLow")
    }
    yield* refused(requestAs(fixture, fixture.owner, other.owner), "DeletionRequestOfAnother")
    same(yield* pendingOf(fixture), Option.none())
    const request = yield* requestAs(fixture, fixture.owner, fixture.owner)
    yield* refused(requestAs(fixture, manager), "PermissionTooLow")
    same(yield* listOf([fixture]), [request])
    same([yield* pendingOf(fixture), yield* pendingOf(other)], [Option.some(request), Option.none()])
    for (const owner of [manager, other.owner]) yield* refused(pendingOf({ ...fixture, owner }), "PermissionTooLow")
  })

  it("an organization that does not exist cannot be asked for", function* (fixture) {
    yield* deleteOrganization(fixture)
    yield* refused(aDeletionRequest(fixture), "OrganizationNotFound")
    yield* refused(aDeletionRequest(neverCreated(fixture)), "OrganizationNotFound")
    yield* refused(pendingOf(neverCreated(fixture)), "OrganizationNotFound")
  })

  it("a rejection is kept with who decided it and when, and another request may be made", function* (fixture) {
    const first = yield* aDeletionRequest(fixture, "first")
    const decidedBy = OperatorId.make("oscar")
    const rejected = yield* conclude(first, "rejected", decidedBy, after(NOW, 9))
    same(rejected, { ...first, status: "rejected", decidedBy, decisionDate: after(NOW, 9) })
    assert.isTrue(Option.isSome(yield* OrganizationStore.use((store) => store.get(fixture.id))))
    const second = yield* aDeletionRequest(fixture, "second", after(NOW, 10))
    assert.isTrue(second.id > first.id)
    same(yield* listOf([fixture]), [rejected, second])
  })

  it("a decision is final, and a request that is not there is not decided", function* () {
    for (const verdict of ["approved", "rejected"] as const) {
      const request = yield* aDeletionRequest(yield* anOrganization())
      yield* conclude(request, verdict)
      for (const again of ["approved", "rejected"] as const) {
        assert.strictEqual((yield* refused(conclude(request, again), "DeletionRequestDecided")).status, verdict)
      }
    }
    yield* refused(conclude({ id: DeletionRequestId.make(NEVER_ISSUED) }), "DeletionRequestNotFound")
  })

  it("of 20 decisions of one request at the same moment one is kept", function* (fixture) {
    const request = yield* aDeletionRequest(fixture)
    const succeeded = yield* expectRefusals(
      race(times(20, (n) => conclude(request, n % 2 === 0 ? "rejected" : "approved"))),
      { DeletionRequestDecided: 19 }
    )
    same(yield* listOf([fixture]), succeeded)
    const kept = yield* OrganizationStore.use((store) => store.get(fixture.id))
    assert.strictEqual(Option.isNone(kept), succeeded[0]?.status === "approved")
  })

  it("requests are listed by their status, or all, oldest first", function* () {
    const fixtures = [
      yield* anOrganization(),
      yield* anOrganization(),
      yield* anOrganization(),
      yield* anOrganization()
    ]
    // Ids do not say which is older.
    const made = yield* Effect.forEach(fixtures, (fixture, n) =>
      aDeletionRequest(fixture, undefined, after(NOW, 4 - n))
    )
    const requests = made.reverse()
    const rejected = yield* conclude(requests[2]!, "rejected")
    const approved = yield* conclude(requests[0]!)
    same(yield* listOf(fixtures), [approved, requests[1], rejected, requests[3]])
    same(yield* listOf(fixtures, "pending"), [requests[1], requests[3]])
    same(yield* listOf(fixtures, "approved"), [approved])
    same(yield* listOf(fixtures, "rejected"), [rejected])
    assert.strictEqual(new Set(pluck(requests, "id")).size, 4)
  })
}

const approvalLaws: Laws = (it) => {
  it("an approval deletes the organization with all that it owns, and nothing else", function* () {
    const [fixture, other] = [yield* anOrganization({ trackingMode: "authenticated" }), yield* anOrganization()]
    const { place, premises: here } = yield* aPlaceToEnter(fixture)
    const organizationId = fixture.id
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const person = aPerson()
    const user = yield* aUserLinkedTo(organizationId, person)
    yield* aUserLinkedTo(other.id, person, user)
    const favorites = yield* FavoriteStore
    yield* favorites.add({ userId: user, organizationId, creationDate: NOW })
    yield* favorites.add({ userId: user, organizationId: other.id, creationDate: NOW })
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
    same(yield* permissionsIn(organizationId), [])
    same(yield* permissionsOf(manager.administratorId), [])
    same(yield* favoritesOf(user), [other.organization])
    yield* refused(unlink(fixture, user), "AccountLinkNotFound")
    assert.strictEqual(yield* countIn(other.premises, other), 1)
    const tie = yield* AccountLinkStore.use((store) => store.tie(other.premises, user))
    assert.isTrue(Option.isSome(tie) && Option.isSome(tie.value.linked))
  })

  it("the request outlives its organization, whose name is free again for one that has nothing of it", function* (fixture) {
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
    const owners = yield* permissionsIn(next.organization.id)
    same(pluck(owners, "administratorId"), [next.owner])
  })

  it("an approval that races with movements leaves nothing counted and no token known", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const before = yield* Effect.all(times(10, (n) => enter(n % 2 === 0 ? place : fixture.premises)))
    const request = yield* aDeletionRequest(fixture)
    const [entered, left] = yield* concurrently([
      race(times(40, (n) => enter(n % 2 === 0 ? place : fixture.premises))),
      race(before.map((stay) => leave(stay))),
      conclude(request)
    ])
    assert.strictEqual(entered.succeeded.length + (entered.refusals["PremisesNotFound"] ?? 0), 40)
    assert.strictEqual(left.succeeded.length + (left.refusals["PremisesNotFound"] ?? 0), 10)
    const stays = [...before, ...entered.succeeded]
    for (const premises of [fixture.premises, place]) {
      yield* refused(countIn(premises, fixture), "PremisesNotFound")
      same(yield* closedOf(premises, fixture, stays), [])
    }
    for (const stay of stays) yield* refused(leave(stay), "PremisesNotFound")
  })

  it("an approval that races with everything else leaves nothing of the organization", function* (fixture) {
    const { id } = fixture
    const request = yield* aDeletionRequest(fixture)
    const users = times(10, () => someUser())
    const favorites = yield* FavoriteStore
    const { refusals } = yield* race([
      ...users.map((userId) => favorites.add({ userId, organizationId: id, creationDate: NOW })),
      ...users.map((userId) => Effect.asVoid(aUserLinkedTo(id, aPerson(), userId))),
      Effect.asVoid(aPlace(fixture)),
      Effect.asVoid(aBoundAdministrator(fixture, "viewer")),
      Effect.asVoid(setTrackingMode(id, "authenticated")),
      Effect.asVoid(conclude(request))
    ])
    // A user may come to add a favorite after the organization began to know people, and before they are linked.
    const expected = ["OrganizationNotFound", "NotLinked"]
    assert.deepStrictEqual(
      Object.keys(refusals).filter((tag) => !expected.includes(tag)),
      []
    )
    for (const user of users) same(yield* favoritesOf(user), [])
    same(yield* placesOf(id), [])
    same(yield* permissionsIn(id), [])
    assert.isTrue(Option.isNone(yield* OrganizationStore.use((store) => store.get(id))))
  })
}

/** What every `DeletionRequestStore` promises. */
export const deletionRequestStoreLaws = suite("DeletionRequestStore", [requestLaws, approvalLaws])
