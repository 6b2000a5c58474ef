import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { OrganizationId, type UserId } from "../../domain/Ids.ts"
import { FavoriteStore } from "../../ports/FavoriteStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { NOW } from "../arbitraries/times.ts"
import { anOrganization, aUserLinkedTo, deleted, type Ground, somebody, someUser, tracks } from "./given.ts"
import { race, refused, same, times } from "./outcome.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type Laws, type LawOptions, suite } from "./suite.ts"

const add = (userId: UserId, { organization }: Ground) =>
  FavoriteStore.use((store) => store.add({ userId, organizationId: organization.id, creationDate: NOW }))

const remove = (userId: UserId, { organization }: Ground) =>
  FavoriteStore.use((store) => store.remove(userId, organization.id))

const list = (userId: UserId) => FavoriteStore.use((store) => store.list(userId))

const laws: Laws = (it) => {
  it.effect("favorites are listed in the order in which they were added, each user's apart", () =>
    Effect.gen(function* () {
      const [first, second, third] = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
      const [user, other] = [someUser(), someUser()]
      same(yield* list(user), [])
      yield* add(user, third)
      yield* add(user, first)
      yield* add(other, second)
      yield* add(user, second)
      same(yield* list(user), [third.organization, first.organization, second.organization])
      same(yield* list(other), [second.organization])
      yield* remove(user, third)
      yield* add(user, third)
      same(yield* list(user), [first.organization, second.organization, third.organization])
      same(yield* list(other), [second.organization])
    })
  )

  it.effect("an organization is a user's favorite once", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const user = someUser()
      yield* add(user, ground)
      const error = yield* refused(add(user, ground), "FavoriteExists")
      assert.strictEqual(error.organizationId, ground.organization.id)
      same(yield* list(user), [ground.organization])
    })
  )

  it.effect(
    "where people are known it is of the person whom the user is linked to, who may be named and not chosen",
    () =>
      Effect.gen(function* () {
        const ground = yield* anOrganization({ trackingMode: "authenticated" })
        const organizationId = ground.organization.id
        const [person, other] = [somebody(), somebody()]
        const user = yield* aUserLinkedTo(organizationId, person)
        const store = yield* FavoriteStore
        yield* refused(add(someUser(), ground), "NotLinked")
        const claim = { userId: user, organizationId, creationDate: NOW }
        yield* refused(store.add({ ...claim, orgAuthServerId: other }), "IdentityNotOwn")
        same(yield* list(user), [])
        same(yield* store.add(claim), {
          favorite: { ...claim, orgAuthServerId: person },
          organization: ground.organization
        })
        yield* refused(store.add({ ...claim, orgAuthServerId: other }), "IdentityNotOwn")
        yield* remove(user, ground)
        yield* store.add({ ...claim, orgAuthServerId: person })

        const anonymous = yield* anOrganization()
        const there = { ...claim, organizationId: anonymous.organization.id }
        const { favorite } = yield* store.add({ ...there, orgAuthServerId: other })
        assert.isUndefined(favorite.orgAuthServerId)
      })
  )

  it.effect("of 20 additions of one favorite at the same moment one is kept", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const user = someUser()
      const added = yield* race(times(20, () => add(user, ground)))
      assert.strictEqual(added.succeeded.length, 1)
      same(added.refusals, { FavoriteExists: 19 })
      same(yield* list(user), [ground.organization])
      const removed = yield* race(times(20, () => remove(user, ground)))
      assert.strictEqual(removed.succeeded.length, 1)
      same(removed.refusals, { FavoriteNotFound: 19 })
      same(yield* list(user), [])
    })
  )

  it.effect("what is no favorite is not removed, nor another user's", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const [user, other] = [someUser(), someUser()]
      yield* add(other, ground)
      yield* refused(remove(user, ground), "FavoriteNotFound")
      same(yield* list(other), [ground.organization])
    })
  )

  it.effect("an organization that is not there is nobody's favorite, and one that was deleted no longer", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const user = someUser()
      yield* add(user, ground)
      yield* add(user, other)
      yield* deleted(ground)
      same(yield* list(user), [other.organization])
      yield* refused(add(user, ground), "OrganizationNotFound")
      yield* refused(remove(user, ground), "FavoriteNotFound")
      const never = { ...ground.organization, id: OrganizationId.make(9223372036854775807n) }
      yield* refused(add(user, { ...ground, organization: never }), "OrganizationNotFound")
    })
  )

  it.effect("favorites are answered as the organizations are now, and outlive a link and a change of mode", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization({ trackingMode: "authenticated" })
      const organizationId = ground.organization.id
      const user = yield* aUserLinkedTo(organizationId, somebody())
      yield* add(user, ground)
      yield* tracks(organizationId, "anonymous")
      const now = yield* OrganizationStore.use((store) =>
        store.update({
          organizationId,
          administratorId: Option.none(),
          withPlaces: false,
          decide: ({ organization }) => Result.succeed({ ...organization, description: "changed" })
        })
      )
      same(yield* list(user), [now])
    })
  )
}

/** What every `FavoriteStore` promises. */
export const favoriteStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: FavoriteStore`, stores, [laws], options)
