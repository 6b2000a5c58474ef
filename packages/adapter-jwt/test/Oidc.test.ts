/** Verification of an issuer's tokens with its published keys: algorithms, audiences, weak keys, `kid`, times and options. */
import { User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { goodHeader, goodPayload, goodToken, hmac, publicJwk, weakKey } from "./Issuer.ts"
import { Oidc } from "../src/index.ts"
import { AUD, currentSeconds, ISS, key, setUp, START } from "./setUp.ts"

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
      yield* present(one, { role: "user" }, { typ: "application/at+jwt" })
      assert.strictEqual((yield* refusal(one, { role: "user" })).reason, "the token is of another type")
      const error = yield* refusal(one, {}, { typ: "at+jwt" })
      assert.strictEqual(error.reason, "the token names no known kind of caller")
    })
  )

  it.effect("a key serves its own algorithm, or every one of its type when it names none", () =>
    Effect.gen(function* () {
      const pinned = key("pinned", "RS256")
      const free = key("free", "RS256")
      const { refusal, present, server } = yield* setUp([pinned])
      yield* present(pinned)
      assert.strictEqual((yield* refusal({ ...pinned, alg: "PS256" }))._tag, "NotAuthenticated")
      const { alg: _, ...jwk } = publicJwk(free)
      server.publish = [jwk]
      yield* present(free)
      yield* present({ ...free, alg: "PS256" })
      assert.strictEqual(
        (yield* refusal({ ...free, alg: "ES256", key: key("x", "ES256").key }))._tag,
        "NotAuthenticated"
      )
    })
  )

  it.effect("a published secret, encryption key or private key verifies nothing", () =>
    Effect.gen(function* () {
      const [fine, encryption, leaked] = [key("fine"), key("encryption", "RS256"), key("leaked")]
      const { present, refusal, send, server } = yield* setUp([])
      server.publish = [
        publicJwk(fine),
        { ...publicJwk(encryption), use: "enc" },
        { ...leaked.key.export({ format: "jwk" }), kid: "leaked", alg: "EdDSA" },
        { kty: "oct", kid: "shared", k: Buffer.from("secret").toString("base64url"), alg: "HS256" }
      ]
      yield* present(fine)
      assert.strictEqual((yield* refusal(encryption))._tag, "NotAuthenticated")
      assert.strictEqual((yield* refusal(leaked))._tag, "NotAuthenticated")
      const now = yield* currentSeconds
      const forged = hmac("secret", { alg: "HS256", kid: "shared" }, goodPayload(fine, now))
      assert.strictEqual((yield* Effect.flip(send(forged))).reason, "the token's algorithm is not allowed")
    })
  )

  it.effect("a key that is too weak, of another curve, or not readable verifies nothing, and hinders no other", () =>
    Effect.gen(function* () {
      const [fine, other] = [key("fine"), key("other", "RS256")]
      const weak = weakKey("weak")
      const { present, refusal, server } = yield* setUp([])
      server.publish = [
        publicJwk(weak),
        { ...publicJwk(weak), n: "AAAA" + String(publicJwk(weak).n), kid: "padded" },
        { kty: "EC", crv: "secp256k1", x: "AAAA", y: "AAAA", kid: "curve" },
        { kty: "OKP", crv: "X25519", x: "AAAA", kid: "exchange" },
        { kty: "OKP", crv: "Ed25519", x: "AAAA", kid: "short" },
        { kty: "EC", crv: "P-256", x: publicJwk(key("x", "ES256")).x, y: publicJwk(key("y", "ES256")).y, kid: "off" },
        { kty: "constructor", kid: "constructor" },
        { kty: "AKP", alg: "ML-DSA-44", pub: "AAAA", kid: "later" },
        { ...publicJwk(other), key_ops: ["encrypt"], kid: "encrypts" },
        { ...publicJwk(other), kid: 7 },
        { ...publicJwk(other), alg: "ES256", kid: "confused" },
        { ...publicJwk(other), alg: "RS512", kid: "not accepted" },
        { ...publicJwk(fine), key_ops: ["verify"] }
      ]
      yield* present(fine)
      for (const kid of ["weak", "padded"]) {
        assert.strictEqual((yield* refusal({ ...weak, kid })).reason, "the token is signed with an unknown key")
      }
      for (const kid of ["encrypts", "confused", "not accepted"]) {
        assert.strictEqual((yield* refusal({ ...other, kid }))._tag, "NotAuthenticated", kid)
      }
    })
  )

  it.effect("keys of other types for the same caller are fine: P-384, P-521 and Ed25519 by its own name", () =>
    Effect.gen(function* () {
      const keys = (["ES384", "ES512", "Ed25519"] as const).map((alg) => key(alg, alg))
      const { present } = yield* setUp(keys, { algorithms: ["ES384", "ES512", "Ed25519"] })
      for (const one of keys) assert.strictEqual((yield* present(one))._tag, "Operator")
    })
  )

  it.effect("a token without kid is accepted when one key alone can have signed it", () =>
    Effect.gen(function* () {
      const [one, two] = [key("1"), key("2")]
      const { present, refusal, server } = yield* setUp([one, key("3", "ES256")])
      yield* present(one, {}, { kid: undefined })
      assert.strictEqual((yield* refusal(two, {}, { kid: undefined }))._tag, "NotAuthenticated")
      server.publish = [publicJwk(one), publicJwk(two)]
      yield* TestClock.adjust("10 seconds")
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

  it.effect("a token that cannot be one asks for no keys", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, send, server } = yield* setUp([one])
      yield* present(one)
      yield* TestClock.adjust("1 minutes")
      const now = yield* currentSeconds
      const unknown = { ...goodHeader(one), kid: "unknown" }
      for (const token of [
        "",
        "a.b",
        `${goodToken({ ...one, kid: "unknown" }, now)}=`,
        hmac("", { ...unknown, alg: "HS256" }, goodPayload(one, now)),
        goodToken(one, now, {}, { kid: "unknown", alg: "none" }),
        goodToken(one, now, {}, { kid: "unknown", crit: ["exp"] }),
        goodToken(one, now, {}, { kid: 7 }),
        goodToken(one, now, { iss: "https://another.example" }, { kid: "unknown" }),
        goodToken(one, now, { exp: now - 5 }, { kid: "unknown" }),
        goodToken(one, now, { exp: "never" }, { kid: "unknown" })
      ]) {
        assert.strictEqual((yield* Effect.flip(send(token)))._tag, "NotAuthenticated")
      }
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("options that cannot be used are refused before any request", () =>
    Effect.gen(function* () {
      const jwks = "https://login.example/jwks"
      const wrong: ReadonlyArray<readonly [string, Partial<Oidc.Options>]> = [
        ["jwks", { jwks: "login.example/jwks" }],
        ["jwks", { jwks: "file:///etc/passwd" }],
        ["jwks", { jwks: "ftp://login.example/jwks" }],
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
        ["kind", { kind: "root" as "user" }],
        ["kind.claim", { kind: { claim: "" } }],
        ["kind.claim", { kind: { claim: [] } }],
        ["kind.values", { kind: { values: {} } }],
        ["kind.values", { kind: { values: { user: "same", operator: ["same"] } } }],
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
      for (const [name, options] of wrong) {
        const error = yield* Oidc.make({ jwks, issuer: ISS, audience: AUD, ...options }).pipe(
          Effect.scoped,
          Effect.provide(FetchHttpClient.layer),
          Effect.flip
        )
        assert.strictEqual(error._tag, "InvalidOptions")
        assert.include(error.message, name)
        assert.notInclude(error.message, "secret")
      }
    })
  )

  it.effect("http is fine on this machine, and elsewhere when allowed", () =>
    Effect.gen(function* () {
      for (const [jwks, allowHttp] of [
        ["http://localhost:9/jwks", false],
        ["http://[::1]:9/jwks", false],
        ["http://keycloak.internal.invalid/jwks", true]
      ] as const) {
        yield* Oidc.make({ jwks, issuer: ISS, audience: AUD, allowHttp }).pipe(
          Effect.scoped,
          Effect.provide(FetchHttpClient.layer)
        )
      }
    })
  )
})
