/** Laws of `AdministratorAccounts` for registered accounts and their mail addresses. */
import { AdministratorAccounts, PermissionStore, accountToBind } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { anOrganization, someAdministrator, someMail } from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { createAccount, grant } from "../PermissionStore/changes.ts"
import type { Laws } from "../../shared/suite.ts"
import { accountsOf, upperCase } from "./named.ts"

export const recordLaws: Laws = (law) => {
  law("an account is kept as it was registered, and found by its id and by its mail address in any case", function* () {
    const accounts = yield* AdministratorAccounts
    const account = { administratorId: someAdministrator(), mail: someMail() }
    same(yield* accounts.register(account), account)
    same(yield* accountsOf({ ...account, mail: upperCase(account.mail) }), [account, account])
  })

  law("an id has one account, and a mail address has one in any case", function* () {
    const accounts = yield* AdministratorAccounts
    const account = { administratorId: someAdministrator(), mail: someMail() }
    yield* accounts.register(account)
    yield* refused(accounts.register({ ...account, mail: someMail() }), "AdministratorExists")
    const another = { administratorId: someAdministrator(), mail: upperCase(account.mail) }
    yield* refused(accounts.register(another), "AdministratorExists")
    same(yield* accountsOf(another), [undefined, account])
    yield* refused(accounts.register(account), "AdministratorExists")
  })

  law("of 20 accounts that are registered with one mail address at the same moment one is kept", function* () {
    const accounts = yield* AdministratorAccounts
    const mail = someMail()
    const { succeeded, refusals } = yield* race(
      times(20, (n) =>
        accounts.register({ administratorId: someAdministrator(), mail: n % 2 === 0 ? mail : upperCase(mail) })
      )
    )
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { AdministratorExists: 19 })
  })

  law("an administrator has an account from the first sign-in on, with or without a mail address", function* () {
    const accounts = yield* AdministratorAccounts
    const [named, nameless] = [someAdministrator(), someAdministrator()]
    const mail = someMail()
    yield* accounts.recordSignIn({ administratorId: named, mail })
    yield* accounts.recordSignIn({ administratorId: nameless })
    same(yield* accountsOf({ administratorId: named, mail }), [
      { administratorId: named, mail },
      { administratorId: named, mail }
    ])
    same(yield* accountsOf({ administratorId: nameless }), [{ administratorId: nameless }, undefined])
    yield* refused(accounts.register({ administratorId: nameless, mail: someMail() }), "AdministratorExists")
  })

  law("signing in again adds a mail address that was missing, and changes nothing else", function* () {
    const accounts = yield* AdministratorAccounts
    const administratorId = someAdministrator()
    const mail = someMail()
    yield* accounts.recordSignIn({ administratorId })
    yield* accounts.recordSignIn({ administratorId, mail })
    for (const later of [undefined, someMail(), upperCase(mail)]) {
      yield* accounts.recordSignIn({ administratorId, mail: later })
      same(yield* accountsOf({ administratorId, mail }), [
        { administratorId, mail },
        { administratorId, mail }
      ])
      if (later !== undefined && later !== upperCase(mail))
        same(yield* accountsOf({ mail: later }), [undefined, undefined])
    }
  })

  law("a mail address that another account holds is left out of a sign-in", function* () {
    const accounts = yield* AdministratorAccounts
    const holder = { administratorId: someAdministrator(), mail: someMail() }
    yield* accounts.register(holder)
    const [fresh, known] = [someAdministrator(), someAdministrator()]
    yield* accounts.recordSignIn({ administratorId: known })
    for (const administratorId of [fresh, known]) {
      yield* accounts.recordSignIn({ administratorId, mail: upperCase(holder.mail) })
      same(yield* accountsOf({ administratorId, mail: holder.mail }), [{ administratorId }, holder])
    }
  })

  law("a mail address that an owner wrote down is the account's that an operator registers with it", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const written = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
    yield* createAccount(fixture, written)
    const account = { administratorId: someAdministrator(), mail: upperCase(written.mail) }
    same(yield* accounts.register(account), account)
    same(yield* accountsOf(account), [account, account])
    same(yield* accountsOf({ administratorId: written.administratorId }), [
      { administratorId: written.administratorId },
      undefined
    ])
    yield* refused(accounts.register({ ...written, mail: someMail() }), "AdministratorExists")
  })

  law("a binding by an address while it is proved is the prover's, or of no account", function* () {
    const accounts = yield* AdministratorAccounts
    const fixtures = yield* Effect.all(times(8, () => anOrganization()))
    const written = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
    yield* createAccount(yield* anOrganization(), written)
    const proved = { administratorId: someAdministrator(), mail: written.mail }
    const binding = fixtures.map(({ organization: { id: organizationId }, owner }) =>
      PermissionStore.use((store) =>
        store.change({
          organizationId,
          administrator: { mail: written.mail },
          decide: (facts) =>
            Result.map(accountToBind({ mail: written.mail }, facts.accounts), ({ administratorId }) => ({
              _tag: "Grant" as const,
              permission: { administratorId, organizationId, level: "owner" as const, nominatedBy: owner },
              account: Option.none()
            }))
        })
      )
    )
    const [bound] = yield* Effect.all([race(binding), accounts.recordSignIn(proved)], { concurrency: "unbounded" })
    const kept = bound.succeeded.length
    same(bound.refusals, kept === 8 ? {} : { AdministratorNotFound: 8 - kept })
    const own = yield* PermissionStore.use((store) => store.listByAdministrator(proved.administratorId))
    assert.strictEqual(own.length, kept)
  })

  law(
    "a mail address that an owner wrote down goes to the caller who proves it, and its account goes on without it",
    function* () {
      const accounts = yield* AdministratorAccounts
      const fixture = yield* anOrganization()
      const written = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
      yield* createAccount(fixture, written)
      same(yield* accountsOf(written), [written, written])
      const own = { administratorId: someAdministrator(), mail: written.mail }
      yield* accounts.recordSignIn(own)
      same(yield* accountsOf(own), [own, own])
      same(yield* accountsOf({ administratorId: written.administratorId }), [
        { administratorId: written.administratorId },
        undefined
      ])
      const listed = yield* PermissionStore.use((store) => store.listByAdministrator(written.administratorId))
      same(
        listed.map(({ organizationId, mail }) => [organizationId, mail]),
        [[fixture.id, undefined]]
      )
      // An administrator without an address proves another, whatever an owner wrote down.
      const mail = someMail()
      yield* accounts.recordSignIn({ administratorId: written.administratorId, mail })
      const proved = { administratorId: written.administratorId, mail }
      same(yield* accountsOf(proved), [proved, proved])
    }
  )

  law("of 20 who prove at the same moment an address that an owner wrote down one holds it", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const written = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
    yield* createAccount(fixture, written)
    const ids = times(20, () => someAdministrator())
    const { refusals } = yield* race(
      ids.map((administratorId) => accounts.recordSignIn({ administratorId, mail: written.mail }))
    )
    same(refusals, {})
    const found = yield* Effect.forEach(ids, (administratorId) => accountsOf({ administratorId }))
    assert.strictEqual(found.filter(([byId]) => byId?.mail === written.mail).length, 1)
    assert.strictEqual(found.filter(([byId]) => byId !== undefined).length, 20)
  })

  law("a mail address that comes with a sign-in is part of the permissions that were granted before", function* () {
    const accounts = yield* AdministratorAccounts
    const fixture = yield* anOrganization()
    const [administratorId, mail] = [someAdministrator(), someMail()]
    yield* accounts.recordSignIn({ administratorId })
    yield* grant(fixture, administratorId)
    const mails = Effect.map(
      PermissionStore.use((store) => store.listByAdministrator(administratorId)),
      (permissions) => permissions.map((permission) => permission.mail)
    )
    same(yield* mails, [undefined])
    yield* accounts.recordSignIn({ administratorId, mail })
    same(yield* mails, [mail])
  })

  law("20 sign-ins of one administrator at the same moment make one account", function* () {
    const accounts = yield* AdministratorAccounts
    const [administratorId, mail] = [someAdministrator(), someMail()]
    const { refusals } = yield* race(
      times(20, (n) => accounts.recordSignIn(n % 2 === 0 ? { administratorId, mail } : { administratorId }))
    )
    same(refusals, {})
    same(yield* accountsOf({ administratorId, mail }), [
      { administratorId, mail },
      { administratorId, mail }
    ])
  })

  law("of 20 administrators who sign in with one mail address at the same moment one holds it", function* () {
    const accounts = yield* AdministratorAccounts
    const mail = someMail()
    const ids = times(20, () => someAdministrator())
    const { refusals } = yield* race(ids.map((administratorId) => accounts.recordSignIn({ administratorId, mail })))
    same(refusals, {})
    const found = yield* Effect.forEach(ids, (administratorId) => accountsOf({ administratorId }))
    assert.strictEqual(found.filter(([byId]) => byId?.mail === mail).length, 1)
    assert.strictEqual(found.filter(([byId]) => byId !== undefined).length, 20)
  })
}
