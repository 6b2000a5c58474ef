/** The issuer of the service's own tokens: minting, verification, stored keys, and secrets that are never shown. */
import { Administrator, AdministratorId, Authenticator, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from "jose"
import { goodToken, issuerOfJwk } from "./Issuer.ts"
import { OwnIssuer } from "../src/index.ts"

const NOW = Date.UTC(2026, 2, 1, 8)

const newKey = Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode)

const authenticate = (token: Redacted.Redacted<string>) => Authenticator.use((_) => _.authenticate(token))

const callers = [
  User(UserId.make("alice")),
  Administrator(AdministratorId.make("ada")),
  Administrator(AdministratorId.make("ada"), Mail.make("Ada@example.org")),
  Operator(OperatorId.make("oscar \u{1f511} \"'.,"))
]

describe("OwnIssuer", () => {
  it.effect("a minted token proves its caller", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const key = yield* newKey
      for (const caller of callers) {
        const token = yield* OwnIssuer.mint(key, caller, { expiresIn: 60 })
        const proven = yield* authenticate(token).pipe(Effect.provide(OwnIssuer.layer(key)))
        assert.deepStrictEqual(proven, caller)
      }
    })
  )

  it.effect("a stored key works again after a restart, under the same kid", () =>
    Effect.gen(function* () {
      const jwk = yield* OwnIssuer.generate
      const stored = JSON.stringify(Redacted.value(jwk))
      const before = yield* OwnIssuer.decode(jwk)
      const after = yield* OwnIssuer.decode(JSON.parse(stored))
      assert.deepStrictEqual(OwnIssuer.jwks(after), OwnIssuer.jwks(before))
      const token = yield* OwnIssuer.mint(before, callers[0]!, { expiresIn: 60 })
      yield* authenticate(token).pipe(Effect.provide(OwnIssuer.layer(after)))
    })
  )

  it.effect("the published key set verifies tokens elsewhere, and holds no secret", () =>
    Effect.gen(function* () {
      const jwk = Redacted.value(yield* OwnIssuer.generate)
      const key = yield* OwnIssuer.decode(jwk)
      const published = JSON.parse(JSON.stringify(OwnIssuer.jwks(key)))
      const kid = yield* Effect.promise(() => calculateJwkThumbprint({ kty: jwk.kty, crv: jwk.crv, x: jwk.x }))
      assert.deepStrictEqual(published, {
        keys: [{ kty: "OKP", crv: "Ed25519", x: jwk.x, kid, alg: "EdDSA", use: "sig" }]
      })
      assert.notInclude(JSON.stringify(published), jwk.d)
      const token = yield* OwnIssuer.mint(key, callers[2]!, { expiresIn: 3600, now: NOW + 999 })
      const verified = yield* Effect.promise(() =>
        jwtVerify(Redacted.value(token), createLocalJWKSet(published), { currentDate: new Date(NOW) })
      )
      assert.deepStrictEqual(
        { ...verified.payload },
        {
          iss: "sojourn",
          aud: "sojourn",
          sub: "ada",
          iat: NOW / 1000,
          exp: NOW / 1000 + 3600,
          sojourn_kind: "administrator",
          email: "Ada@example.org"
        }
      )
    })
  )

  it.effect("a token expires by Effect's clock, after the tolerated skew", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const key = yield* newKey
      const token = yield* OwnIssuer.mint(key, callers[0]!, { expiresIn: 60 })
      const alive = (clockSkew: OwnIssuer.Options["clockSkew"]) =>
        authenticate(token).pipe(
          Effect.provide(OwnIssuer.layer(key, { clockSkew })),
          Effect.as(true),
          Effect.catchTag("NotAuthenticated", ({ reason }) => {
            assert.strictEqual(reason, "the token has expired")
            return Effect.succeed(false)
          })
        )
      yield* TestClock.adjust("59 seconds")
      assert.isTrue(yield* alive(0))
      yield* TestClock.adjust("1 seconds")
      assert.isFalse(yield* alive(0))
      assert.isTrue(yield* alive(undefined))
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(yield* alive(undefined))
      assert.isTrue(yield* alive("60 seconds"))
      yield* TestClock.adjust("55 seconds")
      assert.isFalse(yield* alive("60 seconds"))
    })
  )

  it.effect("a token of another key, or without kid, is refused", () =>
    Effect.gen(function* () {
      const jwk = yield* OwnIssuer.generate
      const signer = issuerOfJwk({ ...Redacted.value(jwk) }, "", "sojourn", "sojourn")
      const withoutKid = goodToken(signer, 0, {}, { kid: undefined })
      const ofAnother = yield* OwnIssuer.mint(yield* newKey, callers[0]!, { expiresIn: 60 })
      for (const token of [Redacted.make(withoutKid), ofAnother]) {
        const error = yield* authenticate(token).pipe(
          Effect.provide(OwnIssuer.layer(yield* OwnIssuer.decode(jwk))),
          Effect.flip
        )
        assert.strictEqual(error._tag, "NotAuthenticated")
        assert.strictEqual(error.reason, "the token is signed with an unknown key")
      }
    })
  )

  it.effect("a skew or a lifetime out of range is a defect", () =>
    Effect.gen(function* () {
      const key = yield* newKey
      for (const clockSkew of ["61 seconds", "-1 seconds", Infinity] as const) {
        const exit = yield* Effect.exit(OwnIssuer.make(key, { clockSkew }))
        assert.isTrue(Exit.hasDies(exit), String(clockSkew))
      }
      for (const expiresIn of [0, -1, 0.5, NaN, Infinity, Number.MAX_SAFE_INTEGER]) {
        const exit = yield* Effect.exit(OwnIssuer.mint(key, callers[0]!, { expiresIn, now: NOW }))
        assert.isTrue(Exit.hasDies(exit), String(expiresIn))
      }
    })
  )

  it.effect("an invalid key pair is refused, without showing it", () =>
    Effect.gen(function* () {
      const jwk = Redacted.value(yield* OwnIssuer.generate)
      const other = Redacted.value(yield* OwnIssuer.generate)
      const { d: _, ...publicHalf } = jwk
      const stored = [
        undefined,
        null,
        "",
        jwk.d,
        [],
        [jwk],
        {},
        publicHalf,
        { ...jwk, kty: "oct" },
        { ...jwk, crv: "X25519" },
        { ...jwk, d: other.d },
        { ...jwk, x: other.x },
        { ...jwk, d: `${jwk.d}=` },
        { ...jwk, d: jwk.d.slice(1) },
        { ...jwk, d: 7 }
      ]
      for (const wrong of stored) {
        const error = yield* Effect.flip(OwnIssuer.decode(wrong))
        assert.strictEqual(error._tag, "InvalidSigningKey")
        assert.include(error.message, "the stored key")
        assert.notInclude(`${error.stack} ${JSON.stringify(error)}`, jwk.d)
      }
    })
  )

  it.effect("neither keys nor tokens show themselves", () =>
    Effect.gen(function* () {
      const jwk = yield* OwnIssuer.generate
      const key = yield* OwnIssuer.decode(jwk)
      const token = yield* OwnIssuer.mint(key, callers[0]!, { expiresIn: 60 })
      const shown = `${String(jwk)} ${JSON.stringify([jwk, key, token])} ${String(token)}`
      assert.notInclude(shown, Redacted.value(jwk).d)
      assert.notInclude(shown, Redacted.value(token))
      assert.isFalse(key.privateKey.extractable)
    })
  )
})
