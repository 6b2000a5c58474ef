/** Forged, malformed and damaged tokens, by class, against the own issuer and issuers with keys of each type. */
import { Authenticator } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { ofClaims } from "./hostile/claims.ts"
import { ofForm } from "./hostile/form.ts"
import { ofKeys } from "./hostile/keys.ts"
import { mutations } from "./hostile/mutations.ts"
import { scene } from "./hostile/Scene.ts"
import { goodToken, issuer, issuerOfJwk, publicJwk, type Issuer } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { trials } from "./trials.ts"
import { Oidc, OwnIssuer } from "../src/index.ts"
import { BURST } from "../src/KeySet.ts"

const NOW = Date.UTC(2026, 2, 1, 8) / 1000

/** An authenticator that trusts one issuer, and how many requests it has made. */
interface Subject {
  readonly authenticator: Authenticator["Service"]
  readonly issuer: Issuer
  readonly requests: () => number
}

const own = Effect.gen(function* () {
  const jwk = yield* OwnIssuer.generate
  const key = yield* OwnIssuer.decode(jwk)
  const subject: Subject = {
    authenticator: yield* OwnIssuer.make(key),
    issuer: issuerOfJwk({ ...Redacted.value(jwk) }, key.publicJwk.kid, "sojourn", "sojourn"),
    requests: () => 0
  }
  return subject
})

const remote = (alg: "EdDSA" | "ES256" | "RS256") => {
  const trusted = issuer(alg, "key-1", "https://login.example", "sojourn")
  return Effect.gen(function* () {
    const server = yield* keyServer([publicJwk(trusted), { kty: "oct", kid: "shared", k: "c2VjcmV0" }])
    const services = yield* Effect.context<never>()
    const authenticator = yield* Oidc.make({
      jwks: server.url,
      issuer: trusted.iss,
      audience: trusted.aud
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.provideContext(services))
    return { authenticator, issuer: trusted, requests: () => server.requests.length } satisfies Subject
  })
}

const subjects = {
  OwnIssuer: own,
  "Oidc with EdDSA": remote("EdDSA"),
  "Oidc with ES256": remote("ES256"),
  "Oidc with RS256": remote("RS256")
}

const CLASSES = Object.entries({ ...ofKeys, ...ofClaims, ...ofForm })

const { runs: DAMAGED, seed: SEED } = trials(2_000).arbitrary

describe.each(Object.entries(subjects))("%s", (_name, subject) => {
  it.effect.each(CLASSES)("refuses %s, sends no request for it, and logs nothing of it", ([, hostile]) => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { authenticator, issuer, requests } = yield* subject
      const trap = yield* keyServer([])
      const authenticate = (token: string) => authenticator.authenticate(Redacted.make(token))
      const stage = scene(issuer, NOW, trap.address)
      assert.strictEqual((yield* authenticate(stage.token))._tag, "Operator")
      for (const [name, token] of hostile(stage)) {
        const outcome = yield* Effect.result(authenticate(token))
        assert.strictEqual(outcome._tag, "Failure", `${name} is accepted`)
        if (outcome._tag === "Success") continue
        assert.strictEqual(outcome.failure._tag, "NotAuthenticated", name)
        const shown = `${outcome.failure.reason} ${outcome.failure.stack} ${JSON.stringify(outcome.failure)}`
        assert.notInclude(shown, "mallory", name)
        assert.notInclude(shown, "evil", name)
        assert.notInclude(shown, trap.address, name)
        if (token.length > 10) assert.notInclude(shown, token.slice(0, 10), name)
        assert.isUndefined(outcome.failure.cause, name)
      }
      assert.strictEqual((yield* authenticate(stage.token))._tag, "Operator")
      assert.deepStrictEqual(trap.requests, [])
      // A kid that is not known may ask the issuer's own address for newer keys, a few times.
      assert.isAtMost(requests(), 1 + BURST)
      assert.deepStrictEqual(logged, [])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect(
    `accepts none of ${DAMAGED} damaged tokens`,
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOW * 1000)
        const { authenticator, issuer, requests } = yield* subject
        const good = ["user", "administrator", "operator"].map((kind) => goodToken(issuer, NOW, { sojourn_kind: kind }))
        for (const token of good) yield* authenticator.authenticate(Redacted.make(token))
        for (const token of mutations(good, DAMAGED, SEED)) {
          const outcome = yield* Effect.result(authenticator.authenticate(Redacted.make(token)))
          assert.isTrue(outcome._tag === "Failure" && outcome.failure._tag === "NotAuthenticated", token)
        }
        assert.isAtMost(requests(), 1 + BURST)
      }),
    600_000 + DAMAGED
  )

  it.effect("ignores addresses of keys in a valid token", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { authenticator, issuer } = yield* subject
      const trap = yield* keyServer([])
      const header = { jku: trap.url, x5u: `${trap.address}/x`, jwk: { kty: "oct", k: "AAAA" }, x5t: "abc" }
      yield* authenticator.authenticate(Redacted.make(goodToken(issuer, NOW, {}, header)))
      assert.deepStrictEqual(trap.requests, [])
    })
  )
})
