/** Laws of `AdministratorAccounts`: registered accounts, and invitations, which pass to the first to prove their mail address. */
import {
  AdministratorAccounts,
  type AdministratorId,
  type AdministratorName,
  AdministratorNotFound,
  Mail,
  type NewAccount,
  type PasswordHash,
  type PermissionLevel,
  accountToBind
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { type OrganizationFixture, anOrganization, someAdministrator, someMail } from "../shared/fixtures.ts"
import { allSucceed, concurrently, expectRefusals, pluck, race, refused, same, times } from "../shared/outcome.ts"
import {
  anAccount,
  changePermission,
  createAccount,
  factsOf,
  grant,
  grantOf,
  permissionsIn,
  permissionsOf,
  register
} from "../shared/permissions.ts"
import { type Laws, suite } from "../shared/suite.ts"

/** The same mail address, written otherwise. */
const upperCase = (mail: Mail) => Mail.make(mail.toUpperCase())

const signIn = (administratorId: AdministratorId, mail?: Mail) =>
  AdministratorAccounts.use((accounts) => accounts.recordSignIn({ administratorId, mail }))

/** An account whose mail address an owner entered, and which is not proved. */
const anUnprovedAccount = () => ({ ...anAccount(), isMailUnproved: true })

/** The accounts that an id and a mail address lead to, as changes of permissions see them. */
const accountsOf = (name: AdministratorName) =>
  Effect.gen(function* () {
    const { byId, byMail } = yield* factsOf(yield* anOrganization(), name)
    return [byId, byMail]
  })

const recordLaws: Laws = (it) => {
  it("an account is kept as it was registered, and found by its id and by its mail address in any case", function* () {
    const account = anAccount()
    same(yield* register(account), account)
    same(yield* accountsOf({ ...account, mail: upperCase(account.mail) }), [account, account])
  })

  it("an id has one account, and a mail address has one in any case", function* () {
    const account = anAccount()
    yield* register(account)
    yield* refused(register({ ...account, mail: someMail() }), "AdministratorExists")
    const another = { administratorId: someAdministrator(), mail: upperCase(account.mail) }
    yield* refused(register(another), "AdministratorExists")
    same(yield* accountsOf(another), [undefined, account])
    yield* refused(register(account), "AdministratorExists")
  })

  it("of 20 accounts that are registered with one mail address at the same moment one is kept", function* () {
    const mails = [someMail()].flatMap((mail) => [mail, upperCase(mail)])
    const registrations = times(20, (n) => register({ administratorId: someAdministrator(), mail: mails[n % 2]! }))
    yield* expectRefusals(race(registrations), { AdministratorExists: 19 })
  })

  it("an administrator has an account from the first sign-in on, with or without a mail address", function* () {
    const named = anAccount()
    const nameless = { administratorId: someAdministrator() }
    yield* signIn(named.administratorId, named.mail)
    yield* signIn(nameless.administratorId)
    same(yield* accountsOf(named), [named, named])
    same(yield* accountsOf(nameless), [nameless, undefined])
    yield* refused(register({ ...nameless, mail: someMail() }), "AdministratorExists")
  })

  it("a mail address that an owner wrote down is the account's that an operator registers with it", function* (fixture) {
    const written = anUnprovedAccount()
    const { administratorId } = written
    yield* createAccount(fixture, written)
    const account = { administratorId: someAdministrator(), mail: upperCase(written.mail) }
    same(yield* register(account), account)
    same(yield* accountsOf(account), [account, account])
    same(yield* accountsOf({ administratorId }), [{ administratorId }, undefined])
    yield* refused(register({ ...written, mail: someMail() }), "AdministratorExists")
  })

  it("a binding by an address while it is proved is the prover's, or of no account", function* (first) {
    const fixtures = yield* Effect.all(times(8, () => anOrganization()))
    const written = anUnprovedAccount()
    const { mail } = written
    yield* createAccount(first, written)
    const prover = someAdministrator()
    const binding = fixtures.map((fixture) =>
      changePermission(fixture.id, { mail }, ({ accounts }) =>
        Result.map(accountToBind({ mail }, accounts), ({ administratorId }) =>
          grantOf(fixture, administratorId, { level: "owner" })
        )
      )
    )
    const [bound] = yield* concurrently([race(binding), signIn(prover, mail)])
    const kept = bound.succeeded.length
    same(bound.refusals, kept === 8 ? {} : { AdministratorNotFound: 8 - kept })
    assert.strictEqual((yield* permissionsOf(prover)).length, kept)
  })

  it("a mail address that an owner wrote down goes to the caller who proves it, and its account goes on without it", function* (fixture) {
    const written = anUnprovedAccount()
    const { administratorId } = written
    yield* createAccount(fixture, written)
    same(yield* accountsOf(written), [written, written])
    const own = { administratorId: someAdministrator(), mail: written.mail }
    yield* signIn(own.administratorId, own.mail)
    same(yield* accountsOf(own), [own, own])
    same(yield* accountsOf({ administratorId }), [{ administratorId }, undefined])
    const [permission, ...others] = yield* permissionsOf(administratorId)
    same([permission?.organizationId, permission?.mail, others], [fixture.id, undefined, []])
    // An administrator without an address proves another, whatever an owner wrote down.
    const proved = { administratorId, mail: someMail() }
    yield* signIn(administratorId, proved.mail)
    same(yield* accountsOf(proved), [proved, proved])
  })

  for (const [who, mail] of [
    ["prove at the same moment an address that an owner wrote down", true],
    ["sign in with one mail address at the same moment", false]
  ] as const) {
    it(`of 20 administrators who ${who} one holds it`, function* (fixture) {
      const written = anUnprovedAccount()
      if (mail) yield* createAccount(fixture, written)
      const ids = times(20, () => someAdministrator())
      yield* allSucceed(ids.map((id) => signIn(id, written.mail)))
      const found = yield* Effect.forEach(ids, (administratorId) => accountsOf({ administratorId }))
      assert.strictEqual(found.filter(([byId]) => byId?.mail === written.mail).length, 1)
      assert.strictEqual(found.filter(([byId]) => byId !== undefined).length, 20)
    })
  }

  it("a mail address that comes with a sign-in is part of the permissions that were granted before", function* (fixture) {
    const { administratorId, mail } = anAccount()
    yield* signIn(administratorId)
    yield* grant(fixture, administratorId)
    same(pluck(yield* permissionsOf(administratorId), "mail"), [undefined])
    yield* signIn(administratorId, mail)
    same(pluck(yield* permissionsOf(administratorId), "mail"), [mail])
  })

  it("20 sign-ins of one administrator at the same moment make one account", function* () {
    const account = anAccount()
    const { administratorId, mail } = account
    yield* allSucceed(times(20, (n) => signIn(administratorId, n % 2 === 0 ? mail : undefined)))
    same(yield* accountsOf(account), [account, account])
  })
}

/** Creates an account in an organization: an invitation, unless `account` says otherwise. */
const invite = (fixture: OrganizationFixture, account: NewAccount, level: PermissionLevel) =>
  changePermission(fixture.id, account, () => {
    const invitation = { isInvitation: true, isMailUnproved: true, ...account }
    return Result.succeed(grantOf(fixture, account.administratorId, { level }, invitation))
  })

/** An administrator's organizations and levels. */
const levelsOf = (administratorId: AdministratorId) =>
  Effect.map(permissionsOf(administratorId), (permissions) =>
    permissions.map(({ organizationId, level }) => [organizationId, level] as const)
  )

const invitationLaws: Laws = (it) => {
  it("the first to prove the mail address of an invitation takes over it and its permissions", function* (one, other) {
    const invitation = anAccount()
    yield* invite(one, invitation, "manager")
    yield* grant(other, invitation.administratorId)
    const account = { administratorId: someAdministrator(), mail: upperCase(invitation.mail) }
    yield* signIn(account.administratorId, account.mail)
    same(yield* accountsOf(account), [account, account])
    same(yield* accountsOf({ administratorId: invitation.administratorId }), [undefined, undefined])
    assert.sameDeepMembers(yield* levelsOf(account.administratorId), [
      [one.id, "manager"],
      [other.id, "viewer"]
    ])
    same(yield* levelsOf(invitation.administratorId), [])
    const administratorId = someAdministrator()
    yield* signIn(administratorId, invitation.mail)
    same(yield* accountsOf({ administratorId }), [{ administratorId }, undefined])
  })

  it("who takes an invitation over keeps the higher level, and its place in the order of permissions", function* (up, down) {
    const invitation = anAccount()
    const administratorId = someAdministrator()
    yield* signIn(administratorId)
    for (const [fixture, own, invited] of [
      [up, "viewer", "owner"],
      [down, "manager", "viewer"]
    ] as const) {
      yield* grant(fixture, administratorId, { level: own })
      if (fixture === up) yield* invite(fixture, invitation, invited)
      else yield* grant(fixture, invitation.administratorId, { level: invited })
      yield* grant(fixture, (yield* register(anAccount())).administratorId)
    }
    yield* signIn(administratorId, invitation.mail)
    same(yield* levelsOf(administratorId), [
      [up.id, "owner"],
      [down.id, "manager"]
    ])
    for (const fixture of [up, down]) {
      const ids = pluck(yield* permissionsIn(fixture.id), "administratorId")
      same([ids.slice(0, 2), ids.length], [[fixture.owner, administratorId], 3])
    }
  })

  it("an invitation is taken over by the administrator whom an operator registers with its address", function* (fixture) {
    const invitation = anAccount()
    yield* invite(fixture, invitation, "manager")
    const account = { administratorId: someAdministrator(), mail: upperCase(invitation.mail) }
    same(yield* register(account), account)
    same(yield* accountsOf(account), [account, account])
    same(yield* levelsOf(account.administratorId), [[fixture.id, "manager"]])
    same(yield* levelsOf(invitation.administratorId), [])
  })

  it("of 10 administrators who prove one invitation's mail address at the same moment one takes it over", function* (fixture) {
    const invitation = anAccount()
    yield* invite(fixture, invitation, "owner")
    const ids = times(10, () => someAdministrator())
    yield* allSucceed(ids.map((id) => signIn(id, invitation.mail)))
    same((yield* Effect.forEach(ids, levelsOf)).flat(), [[fixture.id, "owner"]])
  })

  it("what is granted to an invitation while it is taken over is its taker's, or not granted", function* (first) {
    const fixtures = yield* Effect.all(times(7, () => anOrganization()))
    const invitation = anAccount()
    const taker = someAdministrator()
    yield* invite(first, invitation, "viewer")
    const granting = fixtures.map((fixture) =>
      changePermission(fixture.id, { administratorId: invitation.administratorId }, ({ accounts: { byId } }) =>
        Result.fromOption(
          Option.map(byId, ({ administratorId }) => grantOf(fixture, administratorId, { level: "manager" })),
          () => new AdministratorNotFound({})
        )
      )
    )
    const [granted] = yield* concurrently([race(granting), signIn(taker, invitation.mail)])
    const kept = granted.succeeded.length
    same(granted.refusals, kept === 7 ? {} : { AdministratorNotFound: 7 - kept })
    assert.strictEqual((yield* levelsOf(taker)).length, kept + 1)
    same(yield* levelsOf(invitation.administratorId), [])
  })

  it("a password is found by every name of its account, and an account without one has none", function* (fixture) {
    const accounts = yield* AdministratorAccounts
    const account = anAccount()
    const passwordHash = "a hash" as PasswordHash
    yield* invite(fixture, { ...account, isInvitation: undefined, passwordHash }, "viewer")
    const expected = { account: { ...account, isMailUnproved: true }, passwordHash }
    for (const name of [{ administratorId: account.administratorId }, { mail: upperCase(account.mail) }, account]) {
      same(Option.getOrUndefined(yield* accounts.credential(name)), expected)
    }
    for (const name of [{ administratorId: fixture.owner }, { mail: someMail() }, {}]) {
      assert.isTrue(Option.isNone(yield* accounts.credential(name)))
    }
  })
}

/** What every `AdministratorAccounts` promises. */
export const administratorAccountsLaws = suite("AdministratorAccounts", [recordLaws, invitationLaws])
