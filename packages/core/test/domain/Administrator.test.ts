import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type AdministratorAccount,
  AdministratorId,
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
const accountsOf = ({
  administratorId,
  mail
}: {
  administratorId?: AdministratorId | undefined
  mail?: Mail | undefined
}) =>
  ({
    byId: Option.fromUndefinedOr(known.find((account) => account.administratorId === administratorId)),
    byMail: Option.fromUndefinedOr(
      known.find(
        (account) => mail !== undefined && account.mail !== undefined && mailKey(account.mail) === mailKey(mail)
      )
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

  it("leads others to an account with a password by its id, whatever its mail address", () => {
    const account = { ...ada, hasPassword: true }
    for (const name of [{ administratorId: ada.administratorId }, ada]) {
      assert.strictEqual(verdict(requireOwnAddress(name, account)), "accepted")
    }
    assert.strictEqual(verdict(requireOwnAddress({ mail: ada.mail }, account)), "AdministratorNotFound")
    assert.strictEqual(verdict(requireOwnAddress({ mail: ada.mail }, ada)), "accepted")
  })

  it("is free for a new account when neither its id nor its mail address has one", () => {
    for (const name of combinations({ administratorId: ids, mail: mails })) {
      const accounts = accountsOf(name)
      const isFree = Option.isNone(accounts.byId) && Option.isNone(accounts.byMail)
      assert.strictEqual(verdict(requireNoAccount(name, accounts)), isFree ? "accepted" : "AdministratorExists")
    }
  })
})

describe("an account that somebody trusted names", () => {
  it("is the known one, with the address added where it had none, or a new one; never one of two people", () => {
    const expectations: ReadonlyArray<readonly [id: string, mail: string, expected: AdministratorAccount | undefined]> =
      [
        ["ada", "Ada@example.org", ada],
        ["ada", "aDA@EXAMPLE.org", ada],
        ["ada", "new@example.org", undefined],
        ["ada", "bob@example.org", undefined],
        ["nameless", "new@example.org", { ...nameless, mail: Mail.make("new@example.org") }],
        ["nameless", "ada@example.org", undefined],
        [
          "new",
          "new@example.org",
          { administratorId: AdministratorId.make("new"), mail: Mail.make("new@example.org") }
        ],
        ["new", "ADA@example.org", undefined]
      ]
    for (const [id, mail, expected] of expectations) {
      const account = { administratorId: AdministratorId.make(id), mail: Mail.make(mail) }
      const result = vouchedAccount(account, accountsOf(account))
      assert.strictEqual(verdict(result), expected === undefined ? "AdministratorsDiffer" : "accepted", `${id} ${mail}`)
      assert.deepStrictEqual(Result.getOrUndefined(result), expected)
    }
  })
})

describe("a sign-in", () => {
  const invitation: AdministratorAccount = {
    administratorId: AdministratorId.make("made-up"),
    mail: Mail.make("guest@example.org"),
    isInvitation: true
  }
  const everybody = [...known, invitation]
  const at = (name: { administratorId?: AdministratorId | undefined; mail?: Mail | undefined }): NamedAccounts => ({
    byId: Option.fromUndefinedOr(everybody.find((account) => account.administratorId === name.administratorId)),
    byMail: Option.fromUndefinedOr(
      everybody.find(
        (account) =>
          name.mail !== undefined && account.mail !== undefined && mailKey(account.mail) === mailKey(name.mail)
      )
    )
  })
  const who = ["ada", "nameless", "unknown", "made-up"].map((id) => AdministratorId.make(id))
  const proved = [...mails, Mail.make("GUEST@example.org")]

  it("keeps one account, takes an invitation over for who has no address yet, and nobody's address from them", () => {
    for (const account of combinations({ administratorId: who, mail: proved })) {
      const accounts = at(account)
      const change = signIn({ administratorId: account.administratorId!, mail: account.mail }, accounts)
      const byId = Option.getOrUndefined(accounts.byId)
      const holder = Option.getOrUndefined(accounts.byMail)
      const isTaken = holder === invitation && byId?.mail === undefined
      const told = JSON.stringify([account, change])
      if (isTaken) {
        assert.deepStrictEqual(
          change,
          {
            _tag: "TakenOver",
            invitation: invitation.administratorId,
            account: { administratorId: account.administratorId!, mail: account.mail }
          },
          told
        )
        continue
      }
      const kept = change._tag === "Kept" ? change.account : byId
      assert.notStrictEqual(change._tag, "TakenOver", told)
      assert.strictEqual(kept?.administratorId, account.administratorId, told)
      assert.strictEqual(kept?.mail, byId?.mail ?? (holder === undefined ? account.mail : undefined), told)
      assert.strictEqual(kept?.isInvitation ?? false, false, told)
      assert.strictEqual(change._tag, byId === undefined || kept !== byId ? "Kept" : "Unchanged", told)
    }
  })

  it("changes nothing of an account that has no address when none is proved that is free", () => {
    for (const mail of [undefined, Mail.make("bob@example.org")]) {
      assert.deepStrictEqual(signIn({ ...nameless, mail }, at({ ...nameless, mail })), { _tag: "Unchanged" })
    }
  })
})
