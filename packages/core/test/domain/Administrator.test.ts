import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type AccountChange,
  type AdministratorAccount,
  AdministratorId,
  type AdministratorName,
  Mail,
  mailKey,
  type NamedAccounts,
  requireNoAccount,
  requireOwnAddress,
  resolveAdministrator,
  signIn,
  vouchedAccount
} from "../../src/index.ts"
import { combinations, verdict } from "../trials.ts"

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
  it("leads to one account: unknown parts lead to nobody, and parts in disagreement to none", () => {
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

  it("leads others to an account with a password by its id, and by no mail address that nobody proved", () => {
    const account = { ...ada, isMailUnproved: true, hasPassword: true }
    for (const name of [{ administratorId: ada.administratorId }, ada]) {
      assert.strictEqual(verdict(requireOwnAddress(name, account)), "accepted")
    }
    assert.strictEqual(verdict(requireOwnAddress({ mail: ada.mail }, account)), "AdministratorNotFound")
    for (const other of [ada, { ...ada, isMailUnproved: true }, { ...ada, hasPassword: true }]) {
      assert.strictEqual(verdict(requireOwnAddress({ mail: ada.mail }, other)), "accepted")
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
const everybody = [...known, claimed, invitation]

/** Ids and mail addresses of everybody, and some that nobody has. */
const named = combinations({
  administratorId: [...everybody.map(({ administratorId }) => administratorId), AdministratorId.make("unknown")],
  mail: [...mails, Mail.make("CLAIMED@example.org"), Mail.make("guest@EXAMPLE.org")]
}).map(({ administratorId, mail }) => ({ administratorId: administratorId!, mail }))

const isSame = (one: Mail | undefined, other: Mail | undefined) =>
  one !== undefined && other !== undefined && mailKey(one) === mailKey(other)

/** The accounts of everybody after a change. */
const after = (change: AccountChange): ReadonlyArray<AdministratorAccount> => {
  if (change._tag === "Unchanged") return everybody
  const gone = change._tag === "TakenOver" ? change.invitation : undefined
  const freed = change._tag === "Kept" ? change.displaced : undefined
  const others = everybody.filter(
    ({ administratorId }) => ![gone, change.account.administratorId].includes(administratorId)
  )
  return [
    ...others.map((one) => (one.administratorId === freed ? { administratorId: one.administratorId } : one)),
    change.account
  ]
}

describe("an account that somebody trusted names", () => {
  it("is known by that id and that address from then on, unless one of them was proved to go with another", () => {
    for (const { administratorId, mail } of named) {
      if (mail === undefined) continue
      const told = `${administratorId} ${mail}`
      const account = { administratorId, mail }
      const result = vouchedAccount(account, accountsOf(account, everybody))
      const isProved = ({ administratorId: id, mail: proved }: AdministratorAccount) =>
        (id === administratorId) !== isSame(proved, mail) && proved !== undefined
      const contradicts = [ada, bob].some(isProved)
      assert.strictEqual(verdict(result), contradicts ? "AdministratorsDiffer" : "accepted", told)
      if (Result.isFailure(result)) continue
      const found = after(result.success).filter((one) => one.administratorId === administratorId)
      assert.strictEqual(found.length, 1, told)
      assert.isTrue(isSame(found[0]!.mail, mail), told)
    }
  })
})

describe("a sign-in", () => {
  it("leaves one account of whoever proves an id, and one of each address", () => {
    for (const name of named) {
      const accounts = after(signIn(name, accountsOf(name, everybody)))
      const told = JSON.stringify(name)
      assert.strictEqual(accounts.filter((one) => one.administratorId === name.administratorId).length, 1, told)
      const addresses = accounts.flatMap(({ mail }) => (mail === undefined ? [] : [mailKey(mail)]))
      assert.strictEqual(new Set(addresses).size, addresses.length, told)
    }
  })

  it("keeps an address that was proved where it is, and gives one that was not to whoever proves it and no other", () => {
    for (const name of named) {
      const told = JSON.stringify(name)
      const change = signIn(name, accountsOf(name, everybody))
      const accounts = after(change)
      const own = accounts.find((one) => one.administratorId === name.administratorId)!
      for (const { administratorId, mail } of [ada, bob]) {
        assert.strictEqual(accounts.find((one) => one.administratorId === administratorId)?.mail, mail, told)
      }
      const isHeld = [ada, bob].some(({ mail }) => isSame(mail, name.mail))
      const hasProved = [ada, bob].some(({ administratorId }) => administratorId === name.administratorId)
      if (name.mail === undefined || isHeld || hasProved) {
        const before = everybody.find((one) => one.administratorId === name.administratorId)
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

  it("leaves no invitation to whoever signs in by its id, and keeps the address as it was first written", () => {
    const own = { administratorId: invitation.administratorId, mail: Mail.make("GUEST@example.org") }
    assert.deepStrictEqual(signIn(own, accountsOf(own, everybody)), {
      _tag: "Kept",
      account: { administratorId: own.administratorId, mail: invitation.mail }
    })
    const unnamed = { administratorId: invitation.administratorId }
    assert.deepStrictEqual(signIn(unnamed, accountsOf(unnamed, everybody)), {
      _tag: "Kept",
      account: { ...unnamed, mail: invitation.mail, isMailUnproved: true }
    })
  })

  it("changes nothing of an account that has no address when none is proved that is free", () => {
    for (const mail of [undefined, Mail.make("bob@example.org")]) {
      const name = { ...nameless, mail }
      assert.deepStrictEqual(signIn(name, accountsOf(name, everybody)), { _tag: "Unchanged" })
    }
  })
})
