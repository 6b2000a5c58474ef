/** Several issuers in one authenticator, each with a key server of its own: their tokens never prove each other's callers. */
import { Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Authorities, Oidc, OwnIssuer } from "../src/index.ts"
import { goodToken, issuer, type Issuer, type Json, publicJwk } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { setTime, START } from "./setUp.ts"

const people = issuer("EdDSA", "people-1", "https://people.example", "app")
const staff = issuer("EdDSA", "staff-1", "https://staff.example", "web")

/** An authenticator that trusts several, each with a key server of its own. */
const trusting = Effect.fnUntraced(function* (
  issuers: ReadonlyArray<readonly [Issuer, Partial<Oidc.Options>]>,
  others: ReadonlyArray<Effect.Effect<Authorities.Authority>> = []
) {
  yield* setTime(START)
  const servers = yield* Effect.forEach(issuers, ([{ kid, ...rest }]) => keyServer([publicJwk({ kid, ...rest })]))
  const all = issuers.map(([{ iss, aud }, options], i) =>
    Oidc.authority({ issuer: iss, audience: aud, jwks: servers[i]?.url, ...options })
  )
  const { authenticate } = yield* Effect.provide(Authorities.make([...others, ...all]), FetchHttpClient.layer)
  const present = (by: Issuer, payload: Json = {}) => authenticate(Redacted.make(goodToken(by, START / 1000, payload)))
  const reason = (by: Issuer, payload: Json = {}) => Effect.map(Effect.flip(present(by, payload)), (_) => _.reason)
  return { authenticate, present, reason, servers }
})

const users = [people, { kind: "user" }] as const
const operators = [staff, { kind: "operator" }] as const

describe("Authorities", () => {
  it.effect("one issuer is for users and another for operators, regardless of claims in their tokens", () =>
    Effect.gen(function* () {
      const { present, servers } = yield* trusting([users, operators])
      const said = { sub: "alice", sojourn_kind: "operator" }
      assert.deepStrictEqual(yield* present(people, said), User(UserId.make("alice")))
      assert.deepStrictEqual(yield* present(staff, said), Operator(OperatorId.make("alice")))
      assert.deepStrictEqual(
        servers.map(({ requests }) => requests),
        [["/jwks"], ["/jwks"]]
      )
    })
  )

  it.effect("an issuer's key, audience or kid is not accepted for another issuer", () =>
    Effect.gen(function* () {
      const { reason, servers } = yield* trusting([users, operators])
      const asStaff = { ...people, iss: staff.iss, aud: staff.aud }
      assert.strictEqual(yield* reason(asStaff), "the token is signed with an unknown key")
      assert.strictEqual(yield* reason({ ...asStaff, kid: staff.kid }), "the token's signature does not match")
      assert.strictEqual(yield* reason({ ...people, iss: staff.iss }), "the token is signed with an unknown key")
      assert.strictEqual(yield* reason({ ...people, aud: staff.aud }), "the token is for another audience")
      assert.strictEqual(yield* reason({ ...people, iss: "https://evil.example" }), "the token is of another issuer")
      const alike = [`${people.iss}/`, people.iss.toUpperCase(), `${people.iss}.evil.example`, ` ${people.iss}`]
      const strange = [null, 1, [people.iss], [people.iss, staff.iss], { iss: people.iss }, "__proto__", undefined]
      for (const iss of [...alike, ...strange]) {
        assert.strictEqual(yield* reason(people, { iss }), "the token is of another issuer")
      }
      assert.isTrue(servers.flatMap(({ requests }) => requests).every((path) => path === "/jwks"))
    })
  )

  it.effect("an unreachable issuer does not affect the others", () =>
    Effect.gen(function* () {
      const { present, servers } = yield* trusting([users, [staff, { kind: "operator", jwks: "http://127.0.0.1:1/" }]])
      assert.strictEqual((yield* Effect.flip(present(staff)))._tag, "AuthenticatorUnavailable")
      assert.strictEqual((yield* present(people))._tag, "User")
      assert.strictEqual(servers[0]?.requests.length, 1)
    })
  )

  it.effect("one issuer has two audiences, and each is of a kind", () =>
    Effect.gen(function* () {
      const web = { ...people, aud: "web" }
      const { present, reason } = yield* trusting([users, [web, { kind: "administrator" }]])
      assert.strictEqual((yield* present(people))._tag, "User")
      assert.strictEqual((yield* present(web))._tag, "Administrator")
      assert.strictEqual((yield* present(web, { aud: ["web", "other"] }))._tag, "Administrator")
      assert.strictEqual(
        yield* reason(people, { aud: ["app", "web"] }),
        "the token is for the audiences of several authorities"
      )
      for (const aud of ["other", [], [["app"]], { app: true }, null, undefined]) {
        assert.strictEqual(yield* reason(people, { aud }), "the token is for another audience")
      }
    })
  )

  it.effect("the own issuer's tokens are accepted beside those of others", () =>
    Effect.gen(function* () {
      const key = yield* Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode)
      const { authenticate, present, reason } = yield* trusting([users], [OwnIssuer.authority(key)])
      const alice = User(UserId.make("alice"))
      assert.deepStrictEqual(yield* authenticate(yield* OwnIssuer.mint(key, alice, { expiresIn: 60 })), alice)
      assert.deepStrictEqual(yield* present(people, { sub: "alice" }), alice)
      const pretended = { ...people, iss: "sojourn", aud: "sojourn", kid: key.publicJwk.kid }
      assert.strictEqual(yield* reason(pretended), "the token's signature does not match")
    })
  )

  it.effect("prefixes distinguish callers with one id at two issuers", () =>
    Effect.gen(function* () {
      const partner = { ...staff, aud: "app" }
      const { present } = yield* trusting([
        [people, { kind: "user", subjectPrefix: "people:" }],
        [partner, { kind: "user", subjectPrefix: "partner:" }]
      ])
      assert.deepStrictEqual(yield* present(people, { sub: "alice" }), User(UserId.make("people:alice")))
      assert.deepStrictEqual(yield* present(partner, { sub: "alice" }), User(UserId.make("partner:alice")))
    })
  )

  it.effect("issuers that could prove one id for two people, or answer for one token, are refused", () =>
    Effect.gen(function* () {
      const make = (...options: ReadonlyArray<Partial<Oidc.Options>>) =>
        Oidc.make(
          ...options.map((one) => ({ issuer: "https://a.example", audience: "app", kind: "user" as const, ...one }))
        ).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.result)
      const b = { issuer: "https://b.example" }
      const wrong: ReadonlyArray<readonly [string, ReadonlyArray<Partial<Oidc.Options>>]> = [
        ["there must be an issuer", []],
        ["the same audience", [{}, {}]],
        ["the same audience", [{ audience: ["app", "web"] }, { audience: "web", kind: "operator" }]],
        ["the same ids", [{}, b]],
        ["the same ids", [{}, { ...b, kind: { default: "user" } }]],
        ["the same ids", [{ subjectPrefix: "a:" }, b]],
        ["the same ids", [{ subjectPrefix: "" }, { ...b, subjectPrefix: "b:" }]],
        ["the same ids", [{ subjectPrefix: "a" }, { ...b, subjectPrefix: "ab" }]]
      ]
      for (const [why, options] of wrong) {
        const made = yield* make(...options)
        assert.isTrue(made._tag === "Failure" && made.failure.reason.includes(why), JSON.stringify(options))
      }
      for (const options of [
        [{}, { ...b, kind: "administrator" as const }],
        [{}, { audience: "web" }],
        [{ subjectPrefix: "a:" }, { ...b, subjectPrefix: "b:" }],
        [{ subjectPrefix: "" }, { ...b, subjectPrefix: "" }]
      ]) {
        assert.strictEqual((yield* make(...options))._tag, "Success", JSON.stringify(options))
      }
    })
  )
})
