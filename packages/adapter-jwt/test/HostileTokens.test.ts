import { Authenticator } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { hostileTokens, mutations } from "./hostile.ts"
import { goodToken, issuer, issuerOfJwk, publicJwk, type Issuer } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { Jwks, OwnIssuer } from "../src/index.ts"

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

const remote = (alg: "EdDSA" | "ES256" | "RS256") =>
  Effect.gen(function* () {
    const trusted = issuer(alg, "key-1", "https://login.example", "sojourn")
    const server = yield* keyServer([publicJwk(trusted), { kty: "oct", kid: "shared", k: "c2VjcmV0" }])
    const services = yield* Effect.context<never>()
    const authenticator = yield* Jwks.make({
      url: server.url,
      issuer: trusted.iss,
      audience: trusted.aud
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.provideContext(services))
    return { authenticator, issuer: trusted, requests: () => server.requests.length } satisfies Subject
  })

const subjects = {
  OwnIssuer: own,
  "Jwks with EdDSA": remote("EdDSA"),
  "Jwks with ES256": remote("ES256"),
  "Jwks with RS256": remote("RS256")
}

describe.each(Object.entries(subjects))("%s", (_name, subject) => {
  it.effect("refuses every hostile token, asks nobody about it, and tells nothing of it", () => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { authenticator, issuer, requests } = yield* subject
      const trap = yield* keyServer([])
      const authenticate = (token: string) => authenticator.authenticate(Redacted.make(token))
      const good = goodToken(issuer, NOW)
      assert.strictEqual((yield* authenticate(good))._tag, "Operator")
      const tokens = hostileTokens(issuer, NOW, trap.address)
      for (const [name, token] of tokens) {
        const outcome = yield* Effect.result(authenticate(token))
        assert.strictEqual(outcome._tag, "Failure", `${name} is accepted`)
        if (outcome._tag === "Success") continue
        assert.strictEqual(outcome.failure._tag, "NotAuthenticated", name)
        const told = `${outcome.failure.reason} ${outcome.failure.stack} ${JSON.stringify(outcome.failure)}`
        assert.notInclude(told, "mallory", name)
        assert.notInclude(told, "evil", name)
        assert.notInclude(told, trap.address, name)
        if (token.length > 10) assert.notInclude(told, token.slice(0, 10), name)
        assert.isUndefined(outcome.failure.cause, name)
      }
      assert.isAbove(tokens.length, 100)
      assert.strictEqual((yield* authenticate(good))._tag, "Operator")
      assert.deepStrictEqual(trap.requests, [])
      assert.isAtMost(requests(), 1)
      assert.deepStrictEqual(logged, [])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect("accepts none of 2,000 damaged tokens", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { authenticator, issuer, requests } = yield* subject
      const good = goodToken(issuer, NOW)
      yield* authenticator.authenticate(Redacted.make(good))
      for (const token of mutations(good, 2000, 20260301)) {
        const outcome = yield* Effect.result(authenticator.authenticate(Redacted.make(token)))
        assert.isTrue(outcome._tag === "Failure" && outcome.failure._tag === "NotAuthenticated", token)
      }
      assert.isAtMost(requests(), 1)
    })
  )

  it.effect("ignores where a good token says that its key is", () =>
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
