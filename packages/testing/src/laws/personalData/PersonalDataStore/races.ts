/** Laws of `PersonalDataStore` on erasures beside other changes at the same moment. */
import {
  type AdministratorId,
  AdministratorSubject,
  FavoriteStore,
  NOTHING_STORED,
  PersonSubject,
  UserSubject,
  resolveAdministrator
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aUserLinkedTo,
  closedBy,
  countIn,
  enter,
  type OrganizationFixture,
  leave,
  someUser,
  aPerson,
  timesIn
} from "../../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, concurrently, expectRefusals, pluck } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import {
  aKnownPerson,
  anOrganizationWithPlace,
  collect,
  entry,
  erase,
  ledgerOf,
  ERASED_PERSON
} from "../../shared/personalData.ts"
import { changePermission, grantOf, permissionsIn, anAccount, register } from "../../shared/permissions.ts"

/** An owner grants a level to an administrator whom the service knows in that moment. */
const grantIfKnown = (fixture: OrganizationFixture, administratorId: AdministratorId) =>
  changePermission(fixture.id, { administratorId }, ({ accounts }) =>
    Result.map(resolveAdministrator({ administratorId }, accounts), () => grantOf(fixture, administratorId))
  )

export const erasureRaceLaws: Laws = (it) => {
  it("entrances while their person is erased are before it, and erased, or find no link", function* () {
    for (const by of ["user", "person"] as const) {
      const { fixture, inPlace } = yield* anOrganizationWithPlace
      const { id } = fixture
      const person = aPerson()
      const user = yield* aUserLinkedTo(id, person)
      const subject = by === "user" ? UserSubject(user) : PersonSubject(id, person)
      const entrances = () =>
        times(20, (n) => Effect.asVoid(enter(n % 2 === 0 ? inPlace : fixture.premises, { by: user })))
      const { refusals } = yield* race([...entrances(), Effect.asVoid(erase(subject)), ...entrances()])
      assert.includeMembers(["NotLinked"], Object.keys(refusals))
      same(yield* collect(subject), NOTHING_STORED)
      for (const premises of [fixture.premises, inPlace]) assert.strictEqual(yield* countIn(premises, fixture), 0)
      yield* refused(enter(inPlace, { by: user }), "NotLinked")
    }
  })

  it("exits while their people are erased are before it, and erased, or close nothing", function* () {
    const { fixture, place, inPlace } = yield* anOrganizationWithPlace
    const { id } = fixture
    const people = times(20, () => aPerson())
    const users = yield* Effect.all(people.map((person) => aUserLinkedTo(id, person)))
    const stays = yield* concurrently(users.map((by) => enter(inPlace, { by, timestamp: after(NOW, -10_000) })))
    const { refusals } = yield* race(
      users.flatMap((user, n) => [
        Effect.asVoid(leave(stays[n]!, { by: user, timestamp: NOW })),
        Effect.asVoid(erase(n % 2 === 0 ? UserSubject(user) : PersonSubject(id, people[n]!)))
      ])
    )
    assert.includeMembers(["ExitNotMatched"], Object.keys(refusals))
    assert.strictEqual(yield* countIn(inPlace, fixture), 0)
    same(yield* closedBy(inPlace, fixture, people), [])
    same(yield* timesIn(place.id, fixture), [])
    const openStays = refusals["ExitNotMatched"] ?? 0
    const accesses = 20 - openStays
    same(yield* ledgerOf(id), [entry(id, { people: 20, accesses, openStays, totalTime: accesses * 10 })])
  })

  it("favorites that are added while their people are erased are before it, and erased, or find no link", function* () {
    const { fixture } = yield* anOrganizationWithPlace
    const organizationId = fixture.id
    const store = yield* FavoriteStore
    const people = times(40, () => aPerson())
    const users = yield* Effect.all(people.map((person) => aUserLinkedTo(organizationId, person)))
    const subjects = users.flatMap((user, n) => [UserSubject(user), PersonSubject(organizationId, people[n]!)])
    const { refusals } = yield* race(
      users.flatMap((userId, n) => [
        Effect.asVoid(store.add({ userId, organizationId, creationDate: NOW })),
        Effect.asVoid(erase(subjects[n % 2 === 0 ? 2 * n : 2 * n + 1]!))
      ])
    )
    assert.includeMembers(["NotLinked"], Object.keys(refusals))
    // Where a person alone was erased, the favorite is the user's own, and names no person.
    for (const [n, subject] of subjects.entries()) {
      if (n % 4 !== 2) same(yield* collect(subject), NOTHING_STORED)
    }
  })

  it("of erasures of one person at the same moment one removes, and the ledger has them once", function* () {
    const site = yield* anOrganizationWithPlace
    const { id } = site.fixture
    const { user, person } = yield* aKnownPerson(site)
    const succeeded = yield* allSucceed(
      times(10, (n) => erase(n % 2 === 0 ? UserSubject(user) : PersonSubject(id, person)))
    )
    assert.strictEqual(succeeded.filter(({ accesses }) => accesses === ERASED_PERSON.accesses).length, 1)
    assert.strictEqual(succeeded.filter(({ accesses }) => accesses === 0).length, 9)
    const [ledger, ...none] = yield* ledgerOf(id)
    same([ledger?.people, ledger?.accesses, none], [1, ERASED_PERSON.accesses, []])
  })

  it("people of one organization who are erased at the same moment are all erased", function* () {
    const site = yield* anOrganizationWithPlace
    const people = yield* Effect.all(times(10, () => aKnownPerson(site)))
    const succeeded = yield* allSucceed(people.map(({ user }) => erase(UserSubject(user))))
    assert.deepStrictEqual(pluck(succeeded, "accesses"), Array(10).fill(ERASED_PERSON.accesses))
    const [ledger, ...none] = yield* ledgerOf(site.fixture.id)
    same([ledger?.people, ledger?.openStays, none], [10, 20, []])
  })

  it("links that change while their user is erased leave nothing of those that were there before", function* () {
    const { fixture, inPlace } = yield* anOrganizationWithPlace
    const { id } = fixture
    for (const _ of times(5, (n) => n)) {
      const [user, before, now] = [someUser(), aPerson(), aPerson()]
      yield* aUserLinkedTo(id, before, user)
      yield* enter(inPlace, { by: user })
      yield* allSucceed([Effect.asVoid(erase(UserSubject(user))), aUserLinkedTo(id, now, user)])
      // The user is linked anew or was erased with the new link; of the two people one at most has a stay.
      const { accountLinks } = yield* collect(UserSubject(user))
      assert.include([0, 1], accountLinks.length)
      yield* erase(PersonSubject(id, before))
      assert.strictEqual(yield* countIn(inPlace, fixture), 0)
    }
  })

  it("two owners who are erased at the same moment leave one of them", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const other = yield* aBoundAdministrator(fixture, "owner")
      const owners = [fixture.owner, other.administratorId]
      yield* expectRefusals(race(owners.map((owner) => erase(AdministratorSubject(owner)))), { OnlyOwner: 1 })
      const permissions = yield* permissionsIn(fixture.id)
      assert.strictEqual(permissions.length, 1)
    }
  })

  it("grants to an administrator who is erased meanwhile go with them, or find no account", function* () {
    const fixtures = yield* Effect.all(times(6, () => anOrganization()))
    const account = anAccount()
    yield* register(account)
    const grants = fixtures.map((fixture) => Effect.asVoid(grantIfKnown(fixture, account.administratorId)))
    const subject = AdministratorSubject(account.administratorId)
    const { refusals } = yield* race([...grants.slice(0, 3), Effect.asVoid(erase(subject)), ...grants.slice(3)])
    assert.includeMembers(["AdministratorNotFound"], Object.keys(refusals))
    same(yield* collect(subject), NOTHING_STORED)
    for (const { organization } of fixtures) {
      const permissions = yield* permissionsIn(organization.id)
      assert.strictEqual(permissions.length, 1)
    }
  })
}
