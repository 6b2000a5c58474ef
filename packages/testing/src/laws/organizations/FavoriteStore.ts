import { cellOfId, type Organization, FavoriteStore, type UserId, parseTrackingArea, FavoriteId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { rectangleArea, wholeGrid } from "../../arbitraries/areas.ts"
import { NOW } from "../../arbitraries/times.ts"
import {
  anOrganization,
  aUserLinkedTo,
  changeOrganization,
  deleteOrganization,
  favoritesOf,
  type OrganizationFixture,
  aPerson,
  someUser,
  setTrackingMode,
  neverCreated,
  unlink
} from "../shared/fixtures.ts"
import { expectRefusals, concurrently, race, refused, same, times, pluck, readPages } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"

const add = (userId: UserId, { id }: OrganizationFixture) =>
  FavoriteStore.use((store) => store.add({ userId, organizationId: id, creationDate: NOW }))

const remove = (userId: UserId, { id }: OrganizationFixture) => FavoriteStore.use((store) => store.remove(userId, id))

/** Organizations in the order of their cells; those of one cell stay in theirs. */
const byCell = (fixtures: ReadonlyArray<OrganizationFixture>): ReadonlyArray<OrganizationFixture> => {
  const cellOf = ({ id }: OrganizationFixture) => Option.getOrThrow(cellOfId(id))
  return [...fixtures].sort((one, other) => cellOf(one) - cellOf(other))
}

const laws: Laws = (it) => {
  it("favorites of one cell are listed in the order in which they were added, each user's apart", function* (first, second, third) {
    const [user, other] = [someUser(), someUser()]
    same(yield* favoritesOf(user), [])
    yield* add(user, third)
    yield* add(user, first)
    yield* add(other, second)
    yield* add(user, second)
    same(yield* favoritesOf(user), pluck(byCell([third, first, second]), "organization"))
    same(yield* favoritesOf(other), [second.organization])
    yield* remove(user, third)
    yield* add(user, third)
    same(yield* favoritesOf(user), pluck(byCell([first, second, third]), "organization"))
    same(yield* favoritesOf(other), [second.organization])
  })

  it("a long list comes in pages, each of a bounded text, and all of them are the list", function* () {
    const store = yield* FavoriteStore
    const user = someUser()
    const { text } = rectangleArea(wholeGrid(8))
    const fixtures: Array<OrganizationFixture> = []
    for (let n = 0; n < 9; n++) {
      const area = text + (n % 4 === 3 ? "" : " ".repeat(100_000))
      fixtures.push(yield* anOrganization({ trackingArea: Result.getOrThrow(parseTrackingArea(area)) }))
    }
    // In another order than that of the organizations' ids.
    const adding = [...fixtures.slice(5), ...fixtures.slice(0, 5)]
    for (const fixture of adding) {
      yield* add(user, fixture)
      yield* add(someUser(), fixture)
    }
    const added = byCell(adding)
    const organizations = added.map(({ organization }) => organization)
    same(yield* favoritesOf(user), organizations)

    const lengthOf = ({ organization }: { readonly organization: Organization }) =>
      organization.trackingArea.text.length
    const ids = pluck(yield* readPages((after?: FavoriteId) => store.list(user, after), lengthOf), "id")
    assert.isTrue(ids.every((id, n) => n === 0 || id > ids[n - 1]!))
    same(yield* store.list(user, ids.at(-1)!), { items: [], hasMore: false })

    // The list goes on where it was, also after a favorite that was removed, or added again, meanwhile.
    const lastTwo = {
      items: ids.slice(-2).map((id, n) => ({ id, organization: organizations[7 + n]! })),
      hasMore: false
    }
    same(yield* store.list(user, ids.at(-3)!), lastTwo)
    yield* remove(user, added.at(-3)!)
    same(yield* store.list(user, ids.at(-3)!), lastTwo)
    yield* add(user, added.at(-3)!)
    const rest = yield* store.list(user, ids.at(-3)!)
    same(pluck(rest.items, "organization"), [...organizations.slice(-2), organizations.at(-3)!])
  })

  it("an organization is a user's favorite once", function* (fixture) {
    const user = someUser()
    yield* add(user, fixture)
    const error = yield* refused(add(user, fixture), "FavoriteExists")
    assert.strictEqual(error.organizationId, fixture.id)
    same(yield* favoritesOf(user), [fixture.organization])
  })

  it("where people are known it is of the person whom the user is linked to, who may be named and not chosen", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const organizationId = fixture.id
    const [person, other] = [aPerson(), aPerson()]
    const user = yield* aUserLinkedTo(organizationId, person)
    const store = yield* FavoriteStore
    yield* refused(add(someUser(), fixture), "NotLinked")
    const claim = { userId: user, organizationId, creationDate: NOW }
    yield* refused(store.add({ ...claim, orgAuthServerId: other }), "IdentityNotOwn")
    same(yield* favoritesOf(user), [])
    same(yield* store.add(claim), {
      favorite: { ...claim, orgAuthServerId: person },
      organization: fixture.organization
    })
    yield* refused(store.add({ ...claim, orgAuthServerId: other }), "IdentityNotOwn")
    yield* remove(user, fixture)
    yield* store.add({ ...claim, orgAuthServerId: person })

    const anonymous = yield* anOrganization()
    const there = { ...claim, organizationId: anonymous.organization.id }
    const { favorite } = yield* store.add({ ...there, orgAuthServerId: other })
    assert.isUndefined(favorite.orgAuthServerId)
  })

  it("of 20 additions of one favorite at the same moment one is kept", function* (fixture) {
    const user = someUser()
    yield* expectRefusals(race(times(20, () => add(user, fixture))), { FavoriteExists: 19 })
    same(yield* favoritesOf(user), [fixture.organization])
  })

  it("adding a favorite is one step with unlinking: it is in lists read after the unlinking, or is refused", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    // Reads before the unlinking let it meet each step of an addition that takes several.
    const addedMeanwhile = Effect.fnUntraced(function* (reads: number) {
      const user = yield* aUserLinkedTo(fixture.id, aPerson())
      const [added, listed] = yield* concurrently([
        Effect.result(add(user, fixture)),
        Effect.andThen(Effect.all([...times(reads, () => favoritesOf(user)), unlink(fixture, user)]), favoritesOf(user))
      ])
      if (Result.isFailure(added)) assert.strictEqual(added.failure._tag, "NotLinked")
      const expected = Result.isSuccess(added) ? [fixture.organization] : []
      same(listed, expected, "the list that was read after the unlinking")
      same(yield* favoritesOf(user), expected, "the list at the end")
    })
    for (let round = 0; round < 8; round++) yield* concurrently(times(5, addedMeanwhile))
  })

  it("of 20 removals of one favorite at the same moment one removes it", function* (fixture) {
    const user = someUser()
    yield* add(user, fixture)
    yield* expectRefusals(race(times(20, () => remove(user, fixture))), { FavoriteNotFound: 19 })
    same(yield* favoritesOf(user), [])
  })

  it("what is no favorite is not removed, nor another user's", function* (fixture) {
    const [user, other] = [someUser(), someUser()]
    yield* add(other, fixture)
    yield* refused(remove(user, fixture), "FavoriteNotFound")
    same(yield* favoritesOf(other), [fixture.organization])
  })

  it("an organization that does not exist is no favorite, and neither is one that was deleted", function* (fixture, other) {
    const user = someUser()
    yield* add(user, fixture)
    yield* add(user, other)
    yield* deleteOrganization(fixture)
    same(yield* favoritesOf(user), [other.organization])
    yield* refused(add(user, fixture), "OrganizationNotFound")
    yield* refused(remove(user, fixture), "FavoriteNotFound")
    yield* refused(add(user, neverCreated(fixture)), "OrganizationNotFound")
  })

  it("favorites are answered as the organizations are now, and outlive a link and a change of mode", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const organizationId = fixture.id
    const user = yield* aUserLinkedTo(organizationId, aPerson())
    yield* add(user, fixture)
    yield* setTrackingMode(organizationId, "anonymous")
    const now = yield* changeOrganization(organizationId, (one) => ({ ...one, description: "changed" }))
    same(yield* favoritesOf(user), [now])
  })
}

/** What every `FavoriteStore` promises. */
export const favoriteStoreLaws = suite("FavoriteStore", [laws])
