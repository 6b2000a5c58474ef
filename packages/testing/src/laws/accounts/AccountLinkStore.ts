import {
  AccountLinkStore,
  OrgAuthServerId,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  type Premises,
  type Stores,
  type UserId
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { PEOPLE } from "../../arbitraries/ids.ts"
import {
  anOrganization,
  aPlace,
  aUserLinkedTo,
  deleted,
  type Ground,
  aPerson,
  someUser,
  tracks
} from "../shared/fixtures.ts"
import { race, refused, same, times } from "../shared/outcome.ts"
import { type Laws, type LawOptions, suite } from "../shared/suite.ts"

const link = ({ organization }: Ground, userId: UserId, orgAuthServerId: OrgAuthServerId) =>
  AccountLinkStore.use((store) => store.put({ userId, organizationId: organization.id, orgAuthServerId }))

const unlink = ({ organization }: Ground, userId: UserId) =>
  AccountLinkStore.use((store) => store.remove(userId, organization.id))

const tie = (premises: Premises, userId: UserId) =>
  Effect.map(
    AccountLinkStore.use((store) => store.tie(premises, userId)),
    Option.getOrUndefined
  )

const linked = (ground: Ground, userId: UserId) =>
  Effect.map(tie(ground.premises, userId), (found) => Option.getOrUndefined(found?.linked ?? Option.none()))

const laws: Laws = (it) => {
  it.effect("a user is tied to an organization and its places alike, with its mode", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = PlacePremises((yield* aPlace(ground)).id)
      const user = someUser()
      const person = aPerson()
      for (const mode of ["anonymous", "authenticated"] as const) {
        yield* tracks(ground.organization.id, mode)
        for (const premises of [ground.premises, place]) {
          const found = yield* tie(premises, user)
          same([found?.organizationId, found?.mode], [ground.organization.id, mode])
          assert.isTrue(Option.isNone(found!.linked))
        }
      }
      yield* link(ground, user, person)
      for (const premises of [ground.premises, place]) {
        assert.strictEqual(Option.getOrUndefined((yield* tie(premises, user))!.linked), person)
      }
      assert.strictEqual(yield* linked(ground, someUser()), undefined)
    })
  )

  it.effect("premises that do not exist have no ties", () =>
    Effect.gen(function* () {
      const gone = yield* anOrganization()
      const place = PlacePremises((yield* aPlace(gone)).id)
      yield* deleted(gone)
      const never = 9223372036854775807n
      for (const premises of [
        gone.premises,
        place,
        OrganizationPremises(OrganizationId.make(never)),
        PlacePremises(PlaceId.make(never))
      ]) {
        assert.strictEqual(yield* tie(premises, someUser()), undefined)
      }
    })
  )

  it.effect("linking again replaces the link, and the person before is free", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const [user, other] = [someUser(), someUser()]
      const [before, now] = [aPerson(), aPerson()]
      yield* link(ground, user, before)
      yield* link(ground, user, before)
      assert.strictEqual(yield* linked(ground, user), before)
      yield* link(ground, user, now)
      assert.strictEqual(yield* linked(ground, user), now)
      yield* link(ground, other, before)
      yield* refused(link(ground, other, now), "LinkedToAnother")
      assert.strictEqual(yield* linked(ground, other), before, "a refused link changes nothing")
      assert.strictEqual(yield* linked(ground, user), now)
    })
  )

  it.effect("a person is linked to one user until unlinked", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const person = aPerson()
      const [user, other] = [someUser(), someUser()]
      yield* link(ground, user, person)
      yield* refused(link(ground, other, person), "LinkedToAnother")
      assert.strictEqual(yield* linked(ground, other), undefined)
      yield* unlink(ground, user)
      assert.strictEqual(yield* linked(ground, user), undefined)
      yield* link(ground, other, person)
      assert.strictEqual(yield* linked(ground, other), person)
    })
  )

  it.effect("a user without a link has none to end", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const user = yield* aUserLinkedTo(ground.organization.id, aPerson())
      const error = yield* refused(unlink(ground, someUser()), "AccountLinkNotFound")
      assert.strictEqual(error.organizationId, ground.organization.id)
      yield* unlink(ground, user)
      yield* refused(unlink(ground, user), "AccountLinkNotFound")
    })
  )

  it.effect("links are per organization", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* anOrganization(), yield* anOrganization()]
      const person = aPerson()
      const [user, other] = [someUser(), someUser()]
      yield* link(one, user, person)
      yield* link(two, other, person)
      yield* link(two, user, aPerson())
      yield* unlink(two, user)
      assert.strictEqual(yield* linked(one, user), person)
      assert.strictEqual(yield* linked(two, other), person)
      yield* refused(unlink(one, other), "AccountLinkNotFound")
    })
  )

  it.effect("people are told apart by their very ids, case and escapes included", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const people = PEOPLE.map((id) => OrgAuthServerId.make(id))
      const users = yield* Effect.forEach(people, (person) => aUserLinkedTo(ground.organization.id, person))
      for (const [index, user] of users.entries()) assert.strictEqual(yield* linked(ground, user), people[index])
    })
  )

  it.effect("of 20 users who link to one person at the same moment one does", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const person = aPerson()
      const users = times(20, () => someUser())
      const { succeeded, refusals } = yield* race(users.map((user) => link(ground, user, person)))
      assert.strictEqual(succeeded.length, 1)
      same(refusals, { LinkedToAnother: 19 })
      const ties = yield* Effect.forEach(users, (user) => linked(ground, user))
      assert.strictEqual(ties.filter((found) => found === person).length, 1)
    })
  )

  it.effect("of 20 people that one user links to at the same moment the user has one, and the others are free", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const user = someUser()
      const people = times(20, () => aPerson())
      const { refusals } = yield* race(people.map((person) => link(ground, user, person)))
      same(refusals, {})
      const mine = yield* linked(ground, user)
      const others = yield* race(
        people.filter((person) => person !== mine).map((person) => link(ground, someUser(), person))
      )
      assert.strictEqual(others.succeeded.length, 19)
    })
  )

  it.effect("of 20 removals of one link at the same moment one removes it", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const person = aPerson()
      const user = yield* aUserLinkedTo(ground.organization.id, person)
      const removals = yield* race(times(20, () => unlink(ground, user)))
      assert.strictEqual(removals.succeeded.length, 1)
      same(removals.refusals, { AccountLinkNotFound: 19 })
      yield* link(ground, someUser(), person)
    })
  )

  it.effect("an organization that does not exist has no links", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* deleted(ground)
      yield* refused(link(ground, someUser(), aPerson()), "OrganizationNotFound")
    })
  )
}

/** What every `AccountLinkStore` promises. */
export const accountLinkStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: AccountLinkStore`, stores, [laws], options)
