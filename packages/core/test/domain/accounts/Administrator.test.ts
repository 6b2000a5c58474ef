/** The rules for administrator accounts: lookup by id and mail address, invitations, registration and sign-in. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import {
  accountAfter,
  type AccountChange,
  accountToBind,
  type AdministratorAccount,
  AdministratorId,
  type AdministratorName,
  invitedOwner,
  Mail,
  mailKey,
  type NamedAccounts,
  registeredAccount,
  requireNoAccount,
  resolveAdministrator,
  signIn,
  vouchedAccount
} from "../../../src/index.ts"
import { combinations, verdict } from "../../trials.ts"

const ada = { administratorId: AdministratorId.make("ada"), mail: Mail.make("Ada@example.org") }
const bob = { administratorId: AdministratorId.make("bob"), mail: Mail.make("bob@example.org") }
const nameless: AdministratorAccount = { administratorId: AdministratorId.make("nameless") }
const known: ReadonlyArray<AdministratorAccount> = [ada, bob, nameless]

const ids = [undefined, "ada", "bob", "nameless", "unknown"].map((id) =>
  id === undefined ? undefined : AdministratorId.make(id)
)
const mails = [undefined, "ADA@EXAMPLE.ORG", "bob@example.org", "unknown@example.org"].map((mail) =>
  mail === undefined ? undefined : Mail.make(mail)
)

/** What a store that knows these accounts answers for a name. */
const accountsOf = ({ administratorId, mail }: AdministratorName, all = known) =>
  ({
    byId: Option.fromUndefinedOr(all.find((account) => account.administratorId === administratorId)),
    byMail: Option.fromUndefinedOr(
      all.find((account) => mail !== undefined && account.mail !== undefined && mailKey(account.mail) === mailKey(mail))
    )
  }) satisfies NamedAccounts

describe("an administrator's name", () => {
  it("leads to one account: unknown parts lead to none, nor do parts in disagreement", () => {
    for (const name of combinations({ administratorId: ids, mail: mails })) {
      const accounts = accountsOf(name)
      const [byId, byMail] = [Option.getOrUndefined(accounts.byId), Option.getOrUndefined(accounts.byMail)]
      const named = [name.administratorId, name.mail].filter((part) => part !== undefined).length
      const found = [byId, byMail].filter((account) => account !== undefined)
      const expected =
        named === 0 || found.length < named
          ? "AdministratorNotFound"
          : found.length === 2 && found[0] !== found[1]
            ? "AdministratorsDiffer"
            : "accepted"
      const result = resolveAdministrator(name, accounts)
      assert.strictEqual(verdict(result), expected, JSON.stringify(name))
      if (Result.isSuccess(result)) assert.strictEqual(result.success, found[0])
    }
  })

  it("binds by an unproved mail address alone no account but an invitation, and by an id any account", () => {
    for (const isMailUnproved of [undefined, true]) {
      for (const isInvitation of [undefined, true]) {
        const account = { ...ada, isMailUnproved, isInvitation }
        for (const name of [{ administratorId: ada.administratorId }, { mail: ada.mail }, ada]) {
          const isAllowed = name.administratorId !== undefined || isMailUnproved !== true || isInvitation === true
          const bound = accountToBind(name, accountsOf(name, [account, bob]))
          assert.strictEqual(verdict(bound), isAllowed ? "accepted" : "AdministratorNotFound", JSON.stringify(name))
          if (Result.isSuccess(bound)) assert.strictEqual(bound.success, account)
        }
        const differing = { administratorId: bob.administratorId, mail: ada.mail }
        assert.strictEqual(
          verdict(accountToBind(differing, accountsOf(differing, [account, bob]))),
          "AdministratorsDiffer"
        )
      }
    }
  })

  it("is free for a new account when neither its id nor its mail address has one", () => {
    for (const name of combinations({ administratorId: ids, mail: mails })) {
      const accounts = accountsOf(name)
      const isFree = Option.isNone(accounts.byId) && Option.isNone(accounts.byMail)
      assert.strictEqual(verdict(requireNoAccount(name, accounts)), isFree ? "accepted" : "AdministratorExists")
    }
  })
})

const claimed: AdministratorAccount = {
  administratorId: AdministratorId.make("claimed"),
  mail: Mail.make("claimed@example.org"),
  isMailUnproved: true
}
const invitation: AdministratorAccount = {
  administratorId: AdministratorId.make("made-up"),
  mail: Mail.make("guest@example.org"),
  isInvitation: true,
  isMailUnproved: true
}
const allAccounts = [...known, claimed, invitation]

/** Ids and mail addresses of all accounts, and some that no account has. */
const named = combinations({
  administratorId: [...allAccounts.map(({ administratorId }) => administratorId), AdministratorId.make("unknown")],
  mail: [...mails, Mail.make("CLAIMED@example.org"), Mail.make("guest@EXAMPLE.org")]
}).map(({ administratorId, mail }) => ({ administratorId: administratorId!, mail }))

const isSame = (one: Mail | undefined, other: Mail | undefined) =>
  one !== undefined && other !== undefined && mailKey(one) === mailKey(other)

/** All accounts after a change. */
const after = (change: AccountChange): ReadonlyArray<AdministratorAccount> => {
  if (change._tag === "Unchanged") return allAccounts
  const gone = change._tag === "TakenOver" ? change.invitation : undefined
  const freed = change._tag === "Kept" ? change.displaced : undefined
  const others = allAccounts.filter(
    ({ administratorId }) => ![gone, change.account.administratorId].includes(administratorId)
  )
  return [
    ...others.map((one) => (one.administratorId === freed ? { administratorId: one.administratorId } : one)),
    change.account
  ]
}

describe("an account that a trusted party names", () => {
  it("is known by that id and that address from then on, unless one of them was proved to go with another", () => {
    for (const { administratorId, mail } of named) {
      if (mail === undefined) continue
      const told = `${administratorId} ${mail}`
      const account = { administratorId, mail }
      const result = vouchedAccount(account, accountsOf(account, allAccounts))
      const isProved = ({ administratorId: id, mail: proved }: AdministratorAccount) =>
        (id === administratorId) !== isSame(proved, mail) && proved !== undefined
      // The id of an invitation is known to go with its address: an operator who names another was misled.
      const isInvited = administratorId === invitation.administratorId && !isSame(invitation.mail, mail)
      const contradicts = isInvited || [ada, bob].some(isProved)
      assert.strictEqual(verdict(result), contradicts ? "AdministratorsDiffer" : "accepted", told)
      if (Result.isFailure(result)) continue
      const found = after(result.success).filter((one) => one.administratorId === administratorId)
      assert.strictEqual(found.length, 1, told)
      assert.isTrue(isSame(found[0]!.mail, mail), told)
    }
  })
})

describe("an owner whom an operator invites by a mail address", () => {
  it("is who proved it or is invited already, or a new invitation, whoever wrote the address down", () => {
    for (const { mail } of named) {
      if (mail === undefined) continue
      const invited = { administratorId: AdministratorId.make("new"), mail }
      const accounts = accountsOf({ mail }, allAccounts)
      const change = invitedOwner(invited, accounts)
      const owner = Option.getOrThrow(accountAfter(change, accounts))
      const holders = after(change).filter((one) => isSame(one.mail, mail))
      assert.deepStrictEqual(holders, [owner], mail)
      const isHeld = [ada, bob, invitation].some((one) => isSame(one.mail, mail))
      assert.strictEqual(change._tag, isHeld ? "Unchanged" : "Kept", mail)
      if (!isHeld) assert.deepStrictEqual(owner, { ...invited, isInvitation: true, isMailUnproved: true }, mail)
    }
  })
})

describe("an account that an operator registers", () => {
  it("has its id and its address from then on, unless the id is known or the address was proved", () => {
    for (const { administratorId, mail } of named) {
      if (mail === undefined) continue
      const told = `${administratorId} ${mail}`
      const account = { administratorId, mail }
      const result = registeredAccount(account, accountsOf(account, allAccounts))
      const isTaken = administratorId !== "unknown" || [ada, bob].some((one) => isSame(one.mail, mail))
      assert.strictEqual(verdict(result), isTaken ? "AdministratorExists" : "accepted", told)
      if (Result.isFailure(result)) continue
      const accounts = after(result.success)
      assert.deepStrictEqual(
        accounts.filter((one) => isSame(one.mail, mail)),
        [account],
        told
      )
    }
  })
})

/** A sign-in that is not refused. */
const signedIn = (name: AdministratorAccount, all: ReadonlyArray<AdministratorAccount>) =>
  Result.getOrThrow(signIn(name, accountsOf(name, all)))

/** The names that may sign in: the id of an invitation proves nothing without its address. */
const signers = named.filter(
  ({ administratorId, mail }) => administratorId !== invitation.administratorId || isSame(invitation.mail, mail)
)

describe("a sign-in", () => {
  it("is refused with the id of an invitation, unless its mail address is proved as well", () => {
    for (const name of named) {
      const isRefused = !signers.includes(name)
      const result = signIn(name, accountsOf(name, allAccounts))
      assert.strictEqual(verdict(result), isRefused ? "InvitationNotProved" : "accepted", JSON.stringify(name))
    }
  })

  it("leaves one account of each proved id, and one of each address", () => {
    for (const name of signers) {
      const accounts = after(signedIn(name, allAccounts))
      const told = JSON.stringify(name)
      assert.strictEqual(accounts.filter((one) => one.administratorId === name.administratorId).length, 1, told)
      const addresses = accounts.flatMap(({ mail }) => (mail === undefined ? [] : [mailKey(mail)]))
      assert.strictEqual(new Set(addresses).size, addresses.length, told)
    }
  })

  it("keeps an address that was proved where it is, and gives one that was not to the caller who proves it and no other", () => {
    for (const name of signers) {
      const told = JSON.stringify(name)
      const change = signedIn(name, allAccounts)
      const accounts = after(change)
      const own = accounts.find((one) => one.administratorId === name.administratorId)!
      for (const { administratorId, mail } of [ada, bob]) {
        assert.strictEqual(accounts.find((one) => one.administratorId === administratorId)?.mail, mail, told)
      }
      const isHeld = [ada, bob].some(({ mail }) => isSame(mail, name.mail))
      const hasProved = [ada, bob].some(({ administratorId }) => administratorId === name.administratorId)
      if (name.mail === undefined || isHeld || hasProved) {
        const before = allAccounts.find((one) => one.administratorId === name.administratorId)
        assert.strictEqual(own.mail, before?.mail, told)
        assert.strictEqual(own.isMailUnproved, before?.isMailUnproved, told)
        continue
      }
      assert.isTrue(isSame(own.mail, name.mail), told)
      assert.isNotTrue(own.isMailUnproved, told)
      assert.strictEqual(
        change._tag,
        isSame(invitation.mail, name.mail) && name.administratorId !== "made-up" ? "TakenOver" : "Kept",
        told
      )
      if (isSame(claimed.mail, name.mail) && name.administratorId !== "claimed") {
        assert.isUndefined(accounts.find((one) => one.administratorId === "claimed")?.mail, told)
      }
    }
  })

  it("by the id and the address of an invitation ends it, and keeps the address as it was first written", () => {
    const own = { administratorId: invitation.administratorId, mail: Mail.make("GUEST@example.org") }
    assert.deepStrictEqual(signedIn(own, allAccounts), {
      _tag: "Kept",
      account: { administratorId: own.administratorId, mail: invitation.mail }
    })
  })

  it("changes nothing of an account that has no address when none is proved that is free", () => {
    for (const mail of [undefined, Mail.make("bob@example.org")]) {
      const name = { ...nameless, mail }
      assert.deepStrictEqual(signedIn(name, allAccounts), { _tag: "Unchanged" })
    }
  })
})
