/** The caller that is read from the claims of a verified token: kind, id and mail address. */
import { Administrator, type Caller, Operator, User } from "@sojourn/core"
import { AdministratorId, Mail, OperatorId, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Claims } from "../src/index.ts"
import * as CallerKind from "../src/CallerKind.ts"
import type { Payload } from "../src/ClaimPath.ts"

const refused = (payload: Payload, rules?: Claims.ClaimRules) => {
  const caller = Claims.toCaller(payload, rules)
  assert.isTrue(Result.isFailure(caller) && caller.failure._tag === "NotAuthenticated", JSON.stringify(payload))
}
const accepted = (payload: Payload, rules?: Claims.ClaimRules): Caller =>
  Result.getOrThrow(Claims.toCaller(payload, rules))

const administrator = { sub: "ada", sojourn_kind: "administrator" }
const ada = AdministratorId.make("ada")

describe("Claims", () => {
  it.prop(
    "a caller's claims are read back as that caller",
    { id: Schema.NonEmptyString, local: Schema.Literals(["ada", "Ada.Lovelace", "a+b", "x"]) },
    ({ id: text, local }) => {
      if (!Schema.is(UserId)(text)) return
      const id = UserId.make(text)
      const mail = Mail.make(`${local}@example.org`)
      const callers: ReadonlyArray<Caller> = [
        User(id),
        Operator(OperatorId.make(id)),
        Administrator(AdministratorId.make(id)),
        Administrator(AdministratorId.make(id), mail)
      ]
      for (const caller of callers) assert.deepStrictEqual(accepted(Claims.ofCaller(caller)), caller)
    }
  )

  it("a kind that is inherited is no claim", () => {
    refused(Object.create({ sub: "ada", sojourn_kind: "user" }) as Payload)
    refused({ sub: "ada" }, { ...Claims.OWN, kind: Result.getOrThrow(CallerKind.rule({ claim: "constructor" })) })
  })

  it("the sub is 1 to 256 characters of storable text", () => {
    for (const sub of ["", "x".repeat(257), "a\u0000", "a\ud800", 1, null, undefined, ["ada"], {}]) {
      for (const kind of ["user", "administrator", "operator"]) refused({ sub, sojourn_kind: kind })
    }
    const longest = "\u{1f600}".repeat(256)
    assert.deepStrictEqual(accepted({ sub: longest, sojourn_kind: "user" }), User(UserId.make(longest)))
  })

  it("the id can be another claim than sub, wherever it is", () => {
    const payload = { sub: "pairwise", oid: "object", deep: { id: "deep" }, sojourn_kind: "user" }
    assert.deepStrictEqual(accepted(payload, { ...Claims.OWN, subject: ["oid"] }), User(UserId.make("object")))
    assert.deepStrictEqual(accepted(payload, { ...Claims.OWN, subject: ["deep", "id"] }), User(UserId.make("deep")))
    refused(payload, { ...Claims.OWN, subject: ["deep"] })
    refused(payload, { ...Claims.OWN, subject: ["sub", "length"] })
    refused(payload, { ...Claims.OWN, subject: ["missing"] })
  })

  it("a prefix keeps an issuer's ids apart, and no id is the prefix alone", () => {
    const rules = { ...Claims.OWN, subjectPrefix: "b:" }
    assert.deepStrictEqual(accepted({ sub: "ada", sojourn_kind: "user" }, rules), User(UserId.make("b:ada")))
    refused({ sub: "", sojourn_kind: "user" }, rules)
    refused({ sub: "x".repeat(255), sojourn_kind: "user" }, rules)
  })

  it("a mail address is accepted as far as the operator trusts the issuer", () => {
    const ofIssuer = (trust: Claims.MailTrust): Claims.ClaimRules => ({
      ...Claims.OWN,
      mail: { claim: ["contact", "mail"], trust }
    })
    const payload = { ...administrator, contact: { mail: "ada@example.org" } }
    const known = Administrator(ada, Mail.make("ada@example.org"))
    assert.deepStrictEqual(accepted(payload, ofIssuer("verified")), Administrator(ada))
    assert.deepStrictEqual(accepted(payload, ofIssuer("unless-denied")), known)
    for (const trust of ["verified", "unless-denied"] as const) {
      assert.deepStrictEqual(accepted({ ...payload, email_verified: true }, ofIssuer(trust)), known)
      assert.deepStrictEqual(accepted({ ...payload, email_verified: false }, ofIssuer(trust)), Administrator(ada))
    }
    const withoutMail: Claims.ClaimRules = { ...Claims.OWN, mail: undefined }
    const verified = { ...administrator, email: "ada@example.org", email_verified: true }
    assert.deepStrictEqual(accepted(verified, withoutMail), Administrator(ada))
  })

  it("an administrator's mail is kept as it is written", () => {
    for (const verified of [{}, { email_verified: true }, { email_verified: "true" }]) {
      assert.deepStrictEqual(
        accepted({ ...administrator, email: "Ada@example.org", ...verified }),
        Administrator(ada, Mail.make("Ada@example.org"))
      )
    }
  })

  it("a mail that is malformed or not verified is left out", () => {
    const wrong = [
      ...["ada", "ada@exa mple.org", "", 7, null, ["ada@example.org"]].map((email) => ({ email })),
      ...[false, "false", null, 0, "yes"].map((email_verified) => ({ email: "ada@example.org", email_verified }))
    ]
    for (const claims of wrong) assert.deepStrictEqual(accepted({ ...administrator, ...claims }), Administrator(ada))
  })

  it("a user and an operator have no mail", () => {
    const mail = { email: "ada@example.org" }
    assert.deepStrictEqual(accepted({ ...mail, sub: "ada", sojourn_kind: "user" }), User(UserId.make("ada")))
    assert.deepStrictEqual(
      accepted({ ...mail, sub: "ada", sojourn_kind: "operator" }),
      Operator(OperatorId.make("ada"))
    )
  })
})
