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
import { anOrganization, type Ground, someAdministrator, someMail } from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { grant } from "../PermissionStore/changes.ts"
import type { Laws } from "../../shared/suite.ts"
import { accountsOf, shouted } from "./named.ts"

const permissionFor = (ground: Ground, administratorId: AdministratorId, level: PermissionLevel) => ({
  administratorId,
  organizationId: ground.organization.id,
  level,
  nominatedBy: ground.owner
})

/** Makes an account in an organization: an invitation, unless said otherwise. */
const invite = (ground: Ground, account: NewAccount, level: PermissionLevel) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId: ground.organization.id,
      administrator: account,
      decide: () =>
        Result.succeed({
          _tag: "Grant",
          permission: permissionFor(ground, account.administratorId, level),
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

export const invitationLaws: Laws = (it) => {
  it.effect("the first to prove the mail address of an invitation takes over it and its permissions", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const [one, other] = [yield* anOrganization(), yield* anOrganization()]
      const [invitation, mail] = [someAdministrator(), someMail()]
      yield* invite(one, { administratorId: invitation, mail }, "manager")
      yield* grant(other, invitation)
      const administratorId = someAdministrator()
      yield* accounts.recordSignIn({ administratorId, mail: shouted(mail) })
      same(yield* accountsOf({ administratorId, mail }), [
        { administratorId, mail: shouted(mail) },
        { administratorId, mail: shouted(mail) }
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
  )

  it.effect("who takes an invitation over keeps the higher level, and its place in the order of permissions", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const administratorId = someAdministrator()
      const mail = someMail()
      yield* accounts.recordSignIn({ administratorId })
      const [up, down] = [yield* anOrganization(), yield* anOrganization()]
      const invitation = { administratorId: someAdministrator(), mail }
      for (const [ground, own, invited] of [
        [up, "viewer", "owner"],
        [down, "manager", "viewer"]
      ] as const) {
        yield* grant(ground, administratorId, { level: own })
        if (ground === up) yield* invite(ground, invitation, invited)
        else yield* grant(ground, invitation.administratorId, { level: invited })
        yield* grant(ground, yield* registered)
      }
      yield* accounts.recordSignIn({ administratorId, mail })
      same(yield* levelsOf(administratorId), [
        [up.organization.id, "owner"],
        [down.organization.id, "manager"]
      ])
      for (const ground of [up, down]) {
        const listed = yield* PermissionStore.use((store) => store.listByOrganization(ground.organization.id))
        assert.deepStrictEqual(listed.map((permission) => permission.administratorId).slice(0, 2), [
          ground.owner,
          administratorId
        ])
        assert.strictEqual(listed.length, 3)
      }
    })
  )

  it.effect("an invitation is for a caller who has no address yet, or its very id", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const ground = yield* anOrganization()
      const invitation = { administratorId: someAdministrator(), mail: someMail() }
      yield* invite(ground, invitation, "viewer")
      const settled = { administratorId: someAdministrator(), mail: someMail() }
      yield* accounts.register(settled)
      yield* accounts.recordSignIn({ ...settled, mail: invitation.mail })
      same(yield* accountsOf(settled), [settled, settled])
      same(yield* levelsOf(settled.administratorId), [])
      yield* accounts.recordSignIn(invitation)
      same(yield* accountsOf(invitation), [invitation, invitation])
      yield* accounts.recordSignIn({ administratorId: someAdministrator(), mail: invitation.mail })
      same(yield* levelsOf(invitation.administratorId), [[ground.organization.id, "viewer"]])
    })
  )

  it.effect(
    "the id of an invitation proves nothing without its mail address, and a refused sign-in changes nothing",
    () =>
      Effect.gen(function* () {
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
      })
  )

  it.effect("an invitation is taken over by the administrator whom an operator registers with its address", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const ground = yield* anOrganization()
      const [invitation, mail] = [someAdministrator(), someMail()]
      yield* invite(ground, { administratorId: invitation, mail }, "manager")
      const account = { administratorId: someAdministrator(), mail: shouted(mail) }
      same(yield* accounts.register(account), account)
      same(yield* accountsOf(account), [account, account])
      same(yield* levelsOf(account.administratorId), [[ground.organization.id, "manager"]])
      same(yield* levelsOf(invitation), [])
    })
  )

  it.effect("of 10 administrators who prove one invitation's mail address at the same moment one takes it over", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const ground = yield* anOrganization()
      const mail = someMail()
      yield* invite(ground, { administratorId: someAdministrator(), mail }, "owner")
      const ids = times(10, () => someAdministrator())
      const { refusals } = yield* race(ids.map((administratorId) => accounts.recordSignIn({ administratorId, mail })))
      same(refusals, {})
      const levels = (yield* Effect.forEach(ids, levelsOf)).flat()
      same(levels, [[ground.organization.id, "owner"]])
    })
  )

  it.effect("what is granted to an invitation while it is taken over is its taker's, or not granted", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const grounds = yield* Effect.all(times(8, () => anOrganization()))
      const [first] = grounds
      const [invitation, administratorId, mail] = [someAdministrator(), someAdministrator(), someMail()]
      yield* invite(first!, { administratorId: invitation, mail }, "viewer")
      const granting = grounds.slice(1).map((ground) =>
        PermissionStore.use((store) =>
          store.change({
            organizationId: ground.organization.id,
            administrator: { administratorId: invitation },
            decide: ({ accounts: { byId } }) =>
              Result.map(
                Result.fromOption(byId, () => new AdministratorNotFound({})),
                (account) => ({
                  _tag: "Grant",
                  permission: permissionFor(ground, account.administratorId, "manager"),
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
  )

  it.effect("a password is found by every name of its account, and an account without one has none", () =>
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const ground = yield* anOrganization()
      const account = { administratorId: someAdministrator(), mail: someMail() }
      const passwordHash = "what is kept of a password" as PasswordHash
      yield* invite(ground, { ...account, isInvitation: undefined, passwordHash }, "viewer")
      for (const name of [{ administratorId: account.administratorId }, { mail: shouted(account.mail) }, account]) {
        same(Option.getOrUndefined(yield* accounts.credential(name)), {
          account: { ...account, isMailUnproved: true },
          passwordHash
        })
      }
      for (const name of [{ administratorId: ground.owner }, { mail: someMail() }, {}]) {
        assert.isTrue(Option.isNone(yield* accounts.credential(name)))
      }
    })
  )
}
