/** Forged, malformed and damaged tokens against the own issuer, and against issuers with keys of two types. */
import type { Authenticator } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { hostileTokens } from "./hostileTokens.ts"
import { goodToken, type Issuer, issuerOfJwk, publicJwk } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { Oidc, OwnIssuer } from "../src/index.ts"
import { BURST } from "../src/IssuerKeys.ts"
import { AUD, ISS, key, setTime, START } from "./setUp.ts"

const NOW = START / 1000

/** An authenticator that trusts one issuer, and the requests that it has made. */
interface Subject {
  readonly authenticator: Authenticator["Service"]
  readonly issuer: Issuer
  readonly requests: ReadonlyArray<string>
}

const own = Effect.gen(function* () {
  const jwk = yield* OwnIssuer.generate
  const key = yield* OwnIssuer.decode(jwk)
  const issuer = issuerOfJwk({ ...Redacted.value(jwk) }, key.publicJwk.kid, "sojourn", "sojourn")
  return { authenticator: yield* OwnIssuer.make(key), issuer, requests: [] } satisfies Subject
})

const remote = (alg: "ES256" | "RS256") =>
  Effect.gen(function* () {
    const trusted = key("key-1", alg)
    const server = yield* keyServer([publicJwk(trusted), { kty: "oct", kid: "shared", k: "c2VjcmV0" }])
    const options: Oidc.Options = { jwks: server.url, issuer: ISS, audience: AUD }
    const authenticator = yield* Effect.provide(Oidc.make(options), FetchHttpClient.layer)
    return { authenticator, issuer: trusted, requests: server.requests } satisfies Subject
  })

const subjects = { OwnIssuer: own, "Oidc with ES256": remote("ES256"), "Oidc with RS256": remote("RS256") }

describe.each(Object.entries(subjects))("%s", (_name, subject) => {
  it.effect("refuses every hostile token, sends no request for it, and shows and logs nothing of it", () => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    return Effect.gen(function* () {
      yield* setTime(START)
      const { authenticator, issuer, requests } = yield* subject
      const trap = yield* keyServer([])
      const authenticate = (token: string) => authenticator.authenticate(Redacted.make(token))
      assert.strictEqual((yield* authenticate(goodToken(issuer, NOW)))._tag, "Operator")
      for (const [name, tokens] of Object.entries(hostileTokens(issuer, NOW, trap.address))) {
        for (const [at, token] of tokens.entries()) {
          const outcome = yield* Effect.result(authenticate(token))
          if (outcome._tag === "Success") assert.fail(`${name} (${at}) is accepted`)
          assert.strictEqual(outcome.failure._tag, "NotAuthenticated", `${name} (${at})`)
          const shown = `${outcome.failure.reason} ${outcome.failure.stack} ${JSON.stringify(outcome.failure)}`
          for (const secret of ["mallory", "evil", trap.address]) assert.notInclude(shown, secret, name)
          if (token.length > 10) assert.notInclude(shown, token.slice(0, 10), name)
          assert.isUndefined(outcome.failure.cause, name)
        }
      }
      assert.strictEqual((yield* authenticate(goodToken(issuer, NOW)))._tag, "Operator")
      assert.deepStrictEqual(trap.requests, [])
      assert.isAtMost(requests.length, BURST)
      assert.deepStrictEqual(logged, [])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect("accepts no token with a damaged character, and ignores addresses of keys in a valid one", () =>
    Effect.gen(function* () {
      yield* setTime(START)
      const { authenticator, issuer } = yield* subject
      const authenticate = (token: string) => authenticator.authenticate(Redacted.make(token))
      const trap = yield* keyServer([])
      const header = { jku: trap.url, x5u: `${trap.address}/x`, jwk: { kty: "oct", k: "AAAA" }, x5t: "abc" }
      const token = goodToken(issuer, NOW, {}, header)
      yield* authenticate(token)
      for (let at = 0; at < token.length; at++) {
        for (const other of ["A", "-", ".", "=", ""]) {
          const damaged = token.slice(0, at) + other + token.slice(at + 1)
          if (damaged === token) continue
          assert.strictEqual((yield* Effect.flip(authenticate(damaged)))._tag, "NotAuthenticated", damaged)
        }
      }
      assert.deepStrictEqual(trap.requests, [])
    })
  )
})
