/** Verification of an issuer's tokens with its published keys: algorithms, audiences, weak keys, `kid`, times and options. */
import { User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { type Json, publicJwk, weakKey } from "./Issuer.ts"
import { Oidc } from "../src/index.ts"
import { AUD, ISS, key, setUp, START } from "./setUp.ts"

const UNKNOWN = "the token is signed with an unknown key"

describe("Oidc", () => {
  it.effect("the issuer's tokens prove their callers, by every default algorithm", () =>
    Effect.gen(function* () {
      const keys = (["EdDSA", "ES256", "RS256", "PS256"] as const).map((alg) => key(alg, alg))
      const { present, server } = yield* setUp(keys)
      for (const one of keys) {
        const caller = yield* present(one, { sub: "alice", sojourn_kind: "user" })
        assert.deepStrictEqual(caller, User(UserId.make("alice")))
      }
      assert.deepStrictEqual(server.requests, ["/jwks"])
    })
  )

  it.effect("EdDSA and Ed25519 are one algorithm, in the header, the key and the options", () =>
    Effect.gen(function* () {
      const one = key("1")
      for (const algorithms of [undefined, ["EdDSA"], ["Ed25519"]] as const) {
        for (const alg of ["EdDSA", "Ed25519", undefined]) {
          const { present, server } = yield* setUp([], { algorithms })
          server.publish = [{ ...publicJwk(one), alg }]
          for (const name of ["EdDSA", "Ed25519"]) yield* present(one, {}, { alg: name })
        }
      }
      const { refusal } = yield* setUp([key("1", "ES256")], { algorithms: ["ES256"] })
      assert.strictEqual((yield* refusal(one)).reason, "the token's algorithm is not allowed")
    })
  )

  it.effect("the audience may be one of several, on both sides", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal } = yield* setUp([one], { audience: ["app", "web"] })
      yield* present(one, { aud: "web" })
      yield* present(one, { aud: ["other", "app"] })
      assert.strictEqual((yield* refusal(one, { aud: AUD })).reason, "the token is for another audience")
    })
  )

  it.effect("the kind's claim and the header's type are the issuer's to choose", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal } = yield* setUp([one], { kind: { claim: "role" }, type: "at+jwt" })
      yield* present(one, { role: "user" }, { typ: "at+jwt" })
      assert.strictEqual((yield* refusal(one, { role: "user" })).reason, "the token is of another type")
      const error = yield* refusal(one, {}, { typ: "at+jwt" })
      assert.strictEqual(error.reason, "the token names no known kind of caller")
    })
  )

  it.effect("an ID token, or a token of another kind, is no access token, whatever its audience", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal } = yield* setUp([one])
      const [nonce, hash] = ["n-0S6_WzA2Mj", "77QmUPtjPfzWtF2AnpK9RQ"]
      // As the access tokens of providers are: RFC 9068, Keycloak before and since version 24, and those that say nothing.
      for (const [payload, header] of [
        [{}, { typ: undefined }],
        [{}, { typ: "application/at+jwt" }],
        [{ nonce }, { typ: "AT+JWT" }],
        [{ typ: "Bearer", nonce, session_state: "s" }, { typ: "JWT" }],
        [{ typ: "Bearer" }, { typ: "jwt" }]
      ]) {
        yield* present(one, payload, header)
      }
      for (const payload of [
        { nonce },
        { at_hash: hash },
        { c_hash: hash },
        { s_hash: hash },
        { typ: "ID" },
        { typ: "Bearer", at_hash: hash }
      ]) {
        assert.match((yield* refusal(one, payload)).reason, /is an ID token/, JSON.stringify(payload))
      }
      assert.match((yield* refusal(one, { at_hash: hash }, { typ: "at+jwt" })).reason, /is an ID token/)
      for (const typ of ["logout+jwt", "dpop+jwt", "secevent+jwt", "application/logout+jwt", "JWS", "", 1, null]) {
        const { reason } = yield* refusal(one, {}, { typ })
        assert.match(reason, /another type|malformed/, String(typ))
      }
    })
  )

  it.effect("a key serves its own algorithm, or every one of its type when it names none", () =>
    Effect.gen(function* () {
      const [pinned, free] = [key("pinned", "RS256"), key("free", "RS256")]
      const { refusal, present, server } = yield* setUp([])
      const { alg: _, ...unpinned } = publicJwk(free)
      server.publish = [publicJwk(pinned), unpinned]
      yield* present(pinned)
      assert.strictEqual((yield* refusal({ ...pinned, alg: "PS256" })).reason, UNKNOWN)
      yield* present(free)
      yield* present({ ...free, alg: "PS256" })
    })
  )

  it.effect(
    "a key that is secret, weak, not for signatures or not readable verifies nothing, and hinders no other",
    () =>
      Effect.gen(function* () {
        const [fine, other, weak] = [key("fine"), key("other", "RS256"), weakKey("weak")]
        const rsa = publicJwk(other)
        const bad: Readonly<Record<string, Json>> = {
          weak: publicJwk(weak),
          padded: { ...publicJwk(weak), n: "AAAA" + String(publicJwk(weak).n) },
          leaked: other.key.export({ format: "jwk" }) as Json,
          shared: { kty: "oct", k: Buffer.from("secret").toString("base64url"), alg: "HS256" },
          curve: { kty: "EC", crv: "secp256k1", x: "AAAA", y: "AAAA" },
          exchange: { kty: "OKP", crv: "X25519", x: "AAAA" },
          short: { kty: "OKP", crv: "Ed25519", x: "AAAA" },
          constructor: { kty: "constructor" },
          later: { kty: "AKP", alg: "ML-DSA-44", pub: "AAAA" },
          encryption: { ...rsa, use: "enc" },
          encrypts: { ...rsa, key_ops: ["encrypt"] },
          confused: { ...rsa, alg: "EdDSA", crv: "Ed25519" },
          unaccepted: { ...rsa, alg: "RS512" }
        }
        const { present, refusal, server } = yield* setUp([])
        const kids = Object.entries(bad).map(([kid, jwk]) => ({ ...jwk, kid }))
        server.publish = [...kids, { ...rsa, kid: 7 }, { ...publicJwk(fine), key_ops: ["verify"] }]
        yield* present(fine)
        for (const kid of Object.keys(bad)) {
          const by = kid === "weak" || kid === "padded" ? weak : other
          assert.strictEqual((yield* refusal({ ...by, kid })).reason, UNKNOWN, kid)
        }
      })
  )

  it.effect("a token without kid is accepted when one key alone can have signed it", () =>
    Effect.gen(function* () {
      const [one, two] = [key("1"), key("2")]
      const { present, refusal, server } = yield* setUp([one, key("3", "ES256")])
      yield* present(one, {}, { kid: undefined })
      assert.strictEqual((yield* refusal(two, {}, { kid: undefined }))._tag, "NotAuthenticated")
      server.publish = [publicJwk(one), publicJwk(two)]
      yield* present(two)
      const error = yield* refusal(one, {}, { kid: undefined })
      assert.strictEqual(error.reason, "the token does not say which key signed it")
    })
  )

  it.effect("a time of issue that is ahead by more than the tolerated skew is refused", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal } = yield* setUp([one], { clockSkew: "60 seconds" })
      yield* present(one, { iat: START / 1000 + 60 })
      assert.strictEqual((yield* refusal(one, { iat: START / 1000 + 61 })).reason, "the token was issued in the future")
    })
  )

  it.effect("options that cannot be used are refused before any request", () =>
    Effect.gen(function* () {
      const jwks = "https://login.example/jwks"
      const wrong: ReadonlyArray<readonly [string, Partial<Oidc.Options>]> = [
        ["jwks", { jwks: "login.example/jwks" }],
        ["jwks", { jwks: "file:///etc/passwd" }],
        ["jwks", { jwks: "http://login.example/jwks" }],
        ["jwks", { jwks: "http://localhost.evil.example/jwks" }],
        ["jwks", { jwks: "https://user:secret@login.example/jwks" }],
        ["issuer", { jwks: undefined, issuer: "login.example" }],
        ["issuer", { jwks: undefined, issuer: "http://login.example" }],
        ["issuer", { jwks: undefined, issuer: "https://login.example/?tenant=1" }],
        ["issuer", { jwks: undefined, issuer: "https://login.example/#" }],
        ["issuer", { issuer: "" }],
        ["audience", { audience: "" }],
        ["audience", { audience: [] }],
        ["audience", { audience: ["a", ""] }],
        ["kind.claim", { kind: { claim: [] } }],
        ["subject", { subject: "/" }],
        ["mail.claim", { mail: { claim: "/~" } }],
        ["mail.trust", { mail: { trust: "always" as "verified" } }],
        ["type", { type: "" }],
        ["algorithms", { algorithms: [] }],
        ["algorithms", { algorithms: ["HS256" as "RS256"] }],
        ["algorithms", { algorithms: ["RS256", "none" as "RS256"] }],
        ["clockSkew", { clockSkew: "61 seconds" }],
        ["clockSkew", { clockSkew: -1 }],
        ["cooldown", { cooldown: 0 }],
        ["keepFor", { keepFor: "8 days" }],
        ["refreshEvery", { refreshEvery: "2 days" }],
        ["timeout", { timeout: Infinity }]
      ]
      const make = (options: Partial<Oidc.Options>) =>
        Oidc.make({ jwks, issuer: ISS, audience: AUD, ...options }).pipe(
          Effect.scoped,
          Effect.provide(FetchHttpClient.layer)
        )
      for (const [name, options] of wrong) {
        const error = yield* Effect.flip(make(options))
        assert.strictEqual(error._tag, "InvalidOptions")
        assert.include(error.message, name)
        assert.notInclude(error.message, "secret")
      }
      // http is fine on this machine, and elsewhere when allowed.
      yield* make({ jwks: "http://localhost:9/jwks" })
      yield* make({ jwks: "http://[::1]:9/jwks" })
      yield* make({ jwks: "http://keycloak.internal.invalid/jwks", allowHttp: true })
    })
  )
})
