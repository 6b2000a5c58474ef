import { AccountLinkStore, OrgAuthServerId, PlacePremises, type Premises, type UserId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { PEOPLE } from "../../arbitraries/ids.ts"
import {
  aPlace,
  aUserLinkedTo,
  deleteOrganization,
  type OrganizationFixture,
  aPerson,
  someUser,
  setTrackingMode,
  MISSING_PREMISES,
  unlink
} from "../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, expectRefusals } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"

const link = ({ id }: OrganizationFixture, userId: UserId, orgAuthServerId: OrgAuthServerId) =>
  AccountLinkStore.use((store) => store.put({ userId, organizationId: id, orgAuthServerId }))

const tie = (premises: Premises, userId: UserId) =>
  AccountLinkStore.use((store) => Effect.map(store.tie(premises, userId), Option.getOrUndefined))

const linked = (fixture: OrganizationFixture, userId: UserId) =>
  Effect.map(tie(fixture.premises, userId), (found) => Option.getOrUndefined(found?.linked ?? Option.none()))

const laws: Laws = (it) => {
  it("a user is tied to an organization and its places alike, with its mode", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const user = someUser()
    const person = aPerson()
    for (const mode of ["anonymous", "authenticated"] as const) {
      yield* setTrackingMode(fixture.id, mode)
      for (const premises of [fixture.premises, place]) {
        const found = yield* tie(premises, user)
        same([found?.organizationId, found?.mode], [fixture.id, mode])
        assert.isTrue(Option.isNone(found!.linked))
      }
    }
    yield* link(fixture, user, person)
    for (const premises of [fixture.premises, place]) {
      assert.strictEqual(Option.getOrUndefined((yield* tie(premises, user))!.linked), person)
    }
    assert.strictEqual(yield* linked(fixture, someUser()), undefined)
  })

  it("premises that do not exist have no ties", function* (gone) {
    const place = PlacePremises((yield* aPlace(gone)).id)
    yield* deleteOrganization(gone)
    for (const premises of [gone.premises, place, ...MISSING_PREMISES]) {
      assert.strictEqual(yield* tie(premises, someUser()), undefined)
    }
  })

  it("linking again replaces the link, and the person before is free", function* (fixture) {
    const [user, other] = [someUser(), someUser()]
    const [before, now] = [aPerson(), aPerson()]
    yield* link(fixture, user, before)
    yield* link(fixture, user, before)
    assert.strictEqual(yield* linked(fixture, user), before)
    yield* link(fixture, user, now)
    assert.strictEqual(yield* linked(fixture, user), now)
    yield* link(fixture, other, before)
    yield* refused(link(fixture, other, now), "LinkedToAnother")
    assert.strictEqual(yield* linked(fixture, other), before, "a refused link changes nothing")
    assert.strictEqual(yield* linked(fixture, user), now)
  })

  it("a person is linked to one user until unlinked", function* (fixture) {
    const person = aPerson()
    const [user, other] = [someUser(), someUser()]
    yield* link(fixture, user, person)
    yield* refused(link(fixture, other, person), "LinkedToAnother")
    assert.strictEqual(yield* linked(fixture, other), undefined)
    yield* unlink(fixture, user)
    assert.strictEqual(yield* linked(fixture, user), undefined)
    yield* link(fixture, other, person)
    assert.strictEqual(yield* linked(fixture, other), person)
  })

  it("a user without a link has none to end", function* (fixture) {
    const user = yield* aUserLinkedTo(fixture.id, aPerson())
    const error = yield* refused(unlink(fixture, someUser()), "AccountLinkNotFound")
    assert.strictEqual(error.organizationId, fixture.id)
    yield* unlink(fixture, user)
    yield* refused(unlink(fixture, user), "AccountLinkNotFound")
  })

  it("links are per organization", function* (one, two) {
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

  it("people are distinguished by their exact ids, case and escapes included", function* (fixture) {
    const people = PEOPLE.map((id) => OrgAuthServerId.make(id))
    const users = yield* Effect.forEach(people, (person) => aUserLinkedTo(fixture.id, person))
    for (const [index, user] of users.entries()) assert.strictEqual(yield* linked(fixture, user), people[index])
  })

  it("of 20 users who link to one person at the same moment one does", function* (fixture) {
    const person = aPerson()
    const users = times(20, () => someUser())
    yield* expectRefusals(race(users.map((user) => link(fixture, user, person))), { LinkedToAnother: 19 })
    const ties = yield* Effect.forEach(users, (user) => linked(fixture, user))
    assert.strictEqual(ties.filter((found) => found === person).length, 1)
  })

  it("of 20 people that one user links to at the same moment the user has one, and the others are free", function* (fixture) {
    const user = someUser()
    const people = times(20, () => aPerson())
    yield* allSucceed(people.map((person) => link(fixture, user, person)))
    const mine = yield* linked(fixture, user)
    const others = people.filter((person) => person !== mine)
    assert.lengthOf(yield* allSucceed(others.map((person) => link(fixture, someUser(), person))), 19)
  })

  it("of 20 removals of one link at the same moment one removes it", function* (fixture) {
    const person = aPerson()
    const user = yield* aUserLinkedTo(fixture.id, person)
    yield* expectRefusals(race(times(20, () => unlink(fixture, user))), { AccountLinkNotFound: 19 })
    yield* link(fixture, someUser(), person)
  })

  it("an organization that does not exist has no links", function* (fixture) {
    yield* deleteOrganization(fixture)
    yield* refused(link(fixture, someUser(), aPerson()), "OrganizationNotFound")
  })
}

/** What every `AccountLinkStore` promises. */
export const accountLinkStoreLaws = suite("AccountLinkStore", [laws])
