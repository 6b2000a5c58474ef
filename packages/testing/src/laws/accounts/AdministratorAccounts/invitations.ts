/** Laws of `AdministratorAccounts` on invitations, which pass to the first to prove their mail address. */
import {
  AdministratorAccounts,
  type AdministratorId,
  AdministratorNotFound,
  type NewAccount,
  type PasswordHash,
  type PermissionLevel,
  PermissionStore
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { anOrganization, type OrganizationFixture, someAdministrator, someMail } from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { grant } from "../PermissionStore/changes.ts"
import type { Laws } from "../../shared/suite.ts"
import { accountsOf, upperCase } from "./named.ts"

const permissionFor = (fixture: OrganizationFixture, administratorId: AdministratorId, level: PermissionLevel) => ({
  administratorId,
  organizationId: fixture.id,
  level,
  nominatedBy: fixture.owner
})

/** Makes an account in an organization: an invitation, unless said otherwise. */
const invite = (fixture: OrganizationFixture, account: NewAccount, level: PermissionLevel) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId: fixture.id,
      administrator: account,
      decide: () =>
        Result.succeed({
          _tag: "Grant",
          permission: permissionFor(fixture, account.administratorId, level),
          account: Option.some({ isInvitation: true, isMailUnproved: true, ...account })
        })
    })
  )

/** An administrator with an account. */
const registered = Effect.gen(function* () {
  const accounts = yield* AdministratorAccounts
  return (yield* accounts.register({ administratorId: someAdministrator(), mail: someMail() })).administratorId
})

/** An administrator's organizations and levels. */
const levelsOf = (administratorId: AdministratorId) =>
  Effect.map(
    PermissionStore.use((store) => store.listByAdministrator(administratorId)),
    (permissions) => permissions.map(({ organizationId, level }) => [organizationId, level] as const)
  )

export const invitationLaws: Laws = (law) => {
  law("the first to prove the mail address of an invitation takes over it and its permissions", function* () {
    const accounts = yield* AdministratorAccounts
    const [one, other] = [yield* anOrganization(), yield* anOrganization()]
    const [invitation, mail] = [someAdministrator(), someMail()]
    yield* invite(one, { administratorId: invitation, mail }, "manager")
    yield* grant(other, invitation)
    const administratorId = someAdministrator()
    yield* accounts.recordSignIn({ administratorId, mail: upperCase(mail) })
    same(yield* accountsOf({ administratorId, mail }), [
      { administratorId, mail: upperCase(mail) },
      { administratorId, mail: upperCase(mail) }
    ])
    same(yield* accountsOf({ administratorId: invitation }), [undefined, undefined])
    same(yield* levelsOf(administratorId), [
      [one.organization.id, "manager"],
      [other.organization.id, "viewer"]
    ])
    same(yield* levelsOf(invitation), [])
    const another = someAdministrator()
    yield* accounts.recordSignIn({ administratorId: another, mail })
    same(yield* accountsOf({ administratorId: another }), [{ administratorId: another }, undefined])
  })

  law("who takes an invitation over keeps the higher level, and its place in the order of permissions", function* () {
    const accounts = yield* AdministratorAccounts
    const administratorId = someAdministrator()
    const mail = someMail()
    yield* accounts.recordSignIn({ administratorId })
    const [up, down] = [yield* anOrganization(), yield* anOrganization()]
    const invitation = { administratorId: someAdministrator(), mail }
    for (const [fixture, own, invited] of [
      [up, "viewer", "owner"],
      [down, "manager", "viewer"]
    ] as const) {
      yield* grant(fixture, administratorId, { level: own })
      if (fixture === up) yield* invite(fixture, invitation, invited)
      else yield* grant(fixture, invitation.administratorId, { level: invited })
      yield* grant(fixture, yield* registered)
    }
    yield* accounts.recordSignIn({ administratorId, mail })
    same(yield* levelsOf(administratorId), [
      [up.organization.id, "owner"],
      [down.organization.id, "manager"]
    ])
    for (const fixture of [up, down]) {
      const listed = yield* PermissionStore.use((store) => store.listByOrganization(fixture.id))
      assert.deepStrictEqual(listed.map((permission) => permission.administratorId).slice(0, 2), [
        fixture.owner,
        administratorId
      ])
      assert.strictEqual(listed.length, 3)
    }
  })

  law("an invitation is for a caller who has no address yet, or its very id", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const invitation = { administratorId: someAdministrator(), mail: someMail() }
    yield* invite(fixture, invitation, "viewer")
    const settled = { administratorId: someAdministrator(), mail: someMail() }
    yield* accounts.register(settled)
    yield* accounts.recordSignIn({ ...settled, mail: invitation.mail })
    same(yield* accountsOf(settled), [settled, settled])
    same(yield* levelsOf(settled.administratorId), [])
    yield* accounts.recordSignIn(invitation)
    same(yield* accountsOf(invitation), [invitation, invitation])
    yield* accounts.recordSignIn({ administratorId: someAdministrator(), mail: invitation.mail })
    same(yield* levelsOf(invitation.administratorId), [[fixture.id, "viewer"]])
  })

  law(
    "the id of an invitation proves nothing without its mail address, and a refused sign-in changes nothing",
    function* () {
      const accounts = yield* AdministratorAccounts
      const [one, other] = [yield* anOrganization(), yield* anOrganization()]
      const invitation = { administratorId: someAdministrator(), mail: someMail() }
      const kept = { ...invitation, isInvitation: true, isMailUnproved: true }
      yield* invite(one, invitation, "owner")
      yield* grant(other, invitation.administratorId)
      for (const mail of [undefined, someMail(), other.ownerMail]) {
        yield* refused(
          accounts.recordSignIn({ administratorId: invitation.administratorId, mail }),
          "InvitationNotProved"
        )
        same(yield* accountsOf({ ...invitation, mail: mail ?? invitation.mail }), [
          kept,
          mail === undefined ? kept : mail === other.ownerMail ? { administratorId: other.owner, mail } : undefined
        ])
      }
      const administratorId = someAdministrator()
      yield* accounts.recordSignIn({ administratorId, mail: invitation.mail })
      same(
        (yield* levelsOf(administratorId)).map(([, level]) => level),
        ["owner", "viewer"]
      )
    }
  )

  law("an invitation is taken over by the administrator whom an operator registers with its address", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const [invitation, mail] = [someAdministrator(), someMail()]
    yield* invite(fixture, { administratorId: invitation, mail }, "manager")
    const account = { administratorId: someAdministrator(), mail: upperCase(mail) }
    same(yield* accounts.register(account), account)
    same(yield* accountsOf(account), [account, account])
    same(yield* levelsOf(account.administratorId), [[fixture.id, "manager"]])
    same(yield* levelsOf(invitation), [])
  })

  law(
    "of 10 administrators who prove one invitation's mail address at the same moment one takes it over",
    function* () {
      const accounts = yield* AdministratorAccounts
      const fixture = yield* anOrganization()
      const mail = someMail()
      yield* invite(fixture, { administratorId: someAdministrator(), mail }, "owner")
      const ids = times(10, () => someAdministrator())
      const { refusals } = yield* race(ids.map((administratorId) => accounts.recordSignIn({ administratorId, mail })))
      same(refusals, {})
      const levels = (yield* Effect.forEach(ids, levelsOf)).flat()
      same(levels, [[fixture.id, "owner"]])
    }
  )

  law("what is granted to an invitation while it is taken over is its taker's, or not granted", function* () {
    const accounts = yield* AdministratorAccounts
    const fixtures = yield* Effect.all(times(8, () => anOrganization()))
    const [first] = fixtures
    const [invitation, administratorId, mail] = [someAdministrator(), someAdministrator(), someMail()]
    yield* invite(first!, { administratorId: invitation, mail }, "viewer")
    const granting = fixtures.slice(1).map((fixture) =>
      PermissionStore.use((store) =>
        store.change({
          organizationId: fixture.id,
          administrator: { administratorId: invitation },
          decide: ({ accounts: { byId } }) =>
            Result.map(
              Result.fromOption(byId, () => new AdministratorNotFound({})),
              (account) => ({
                _tag: "Grant",
                permission: permissionFor(fixture, account.administratorId, "manager"),
                account: Option.none()
              })
            )
        })
      )
    )
    const [granted] = yield* Effect.all([race(granting), accounts.recordSignIn({ administratorId, mail })], {
      concurrency: "unbounded"
    })
    const kept = granted.succeeded.length
    same(granted.refusals, kept === 7 ? {} : { AdministratorNotFound: 7 - kept })
    assert.strictEqual((yield* levelsOf(administratorId)).length, kept + 1)
    same(yield* levelsOf(invitation), [])
  })

  law("a password is found by every name of its account, and an account without one has none", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const account = { administratorId: someAdministrator(), mail: someMail() }
    const passwordHash = "what is kept of a password" as PasswordHash
    yield* invite(fixture, { ...account, isInvitation: undefined, passwordHash }, "viewer")
    for (const name of [{ administratorId: account.administratorId }, { mail: upperCase(account.mail) }, account]) {
      same(Option.getOrUndefined(yield* accounts.credential(name)), {
        account: { ...account, isMailUnproved: true },
        passwordHash
      })
    }
    for (const name of [{ administratorId: fixture.owner }, { mail: someMail() }, {}]) {
      assert.isTrue(Option.isNone(yield* accounts.credential(name)))
    }
  })
}
