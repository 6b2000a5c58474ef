/** What tests of issuers begin with: an authenticator, its key server, and tokens that it accepts. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Oidc } from "../src/index.ts"
import { goodToken, issuer, type Issuer, type KeyType, publicJwk } from "./Issuer.ts"
import { good, type KeyServer, keyServer } from "./KeyServer.ts"

export const START = Date.UTC(2026, 2, 1, 8)
export const ISS = "https://login.example"
export const AUD = "sojourn"

/** A key of the test's issuer. */
export const key = (kid: string, alg: KeyType = "EdDSA") => issuer(alg, kid, ISS, AUD)

/** The test's clock in whole seconds. */
export const currentSeconds = Effect.clockWith((clock) =>
  Effect.map(clock.currentTimeMillis, (ms) => Math.floor(ms / 1000))
)

/** A key server that publishes these keys, and an authenticator that trusts them, by the test's clock. */
export const setUp = (
  published: ReadonlyArray<Issuer>,
  options: Partial<Oidc.Options> = {},
  answer: KeyServer["answer"] = good
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const server = yield* keyServer(published.map(publicJwk))
    server.answer = answer
    // The network is real and the clock is not: a step of the clock must not be a timeout by chance.
    const settings = { jwks: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes", ...options } as const
    const authenticator = yield* Oidc.make(settings).pipe(Effect.provide(FetchHttpClient.layer))
    const send = (token: string) => authenticator.authenticate(Redacted.make(token))
    const present = (from: Issuer, payload = {}, header = {}) =>
      Effect.flatMap(currentSeconds, (now) => send(goodToken(from, now, payload, header)))
    const refusal = (from: Issuer, payload = {}, header = {}) => present(from, payload, header).pipe(Effect.flip)
    return { server, send, present, refusal }
  })
