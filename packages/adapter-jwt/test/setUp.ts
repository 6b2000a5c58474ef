/** What tests of issuers begin with: an authenticator, its key server, and tokens that it accepts. */
import { Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { onTestFinished, vi } from "vitest"
import { Oidc } from "../src/index.ts"
import { goodToken, issuer, type Issuer, type KeyType, publicJwk } from "./Issuer.ts"
import { good, type KeyServer, keyServer } from "./KeyServer.ts"

export const START = Date.UTC(2026, 2, 1, 8)
export const ISS = "https://login.example"
export const AUD = "sojourn"

/** A key of the test's issuer. */
export const key = (kid: string, alg: KeyType = "EdDSA") => issuer(alg, kid, ISS, AUD)

/** Sets both clocks until the test ends: Effect's, and the one that jose reads. Test files share the latter. */
export const setTime = (ms: number) =>
  Effect.suspend(() => {
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(ms)
    return TestClock.setTime(ms)
  })

/** Moves both clocks on. */
export const adjust = (by: Duration.Input) =>
  Effect.suspend(() => {
    vi.setSystemTime(Date.now() + Duration.toMillis(by))
    return TestClock.adjust(by)
  })

/** Makes the credentials of texts: of one text always the same object, as the HTTP adapter does. */
export const credentialsOfTexts = () => {
  const credentials = new Map<string, Redacted.Redacted<string>>()
  return (text: string) => {
    const credential = credentials.get(text) ?? Redacted.make(text)
    credentials.set(text, credential)
    return credential
  }
}

/** A key server that publishes these keys, and an authenticator that trusts them, by the test's clock. */
export const setUp = (
  published: ReadonlyArray<Issuer>,
  options: Partial<Oidc.Options> = {},
  answer: KeyServer["answer"] = good
) =>
  Effect.gen(function* () {
    yield* setTime(START)
    const server = yield* keyServer(published.map(publicJwk))
    server.answer = answer
    const settings = { jwks: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes", ...options } as const
    const authenticator = yield* Oidc.make(settings).pipe(Effect.provide(FetchHttpClient.layer))
    const send = (token: string) => authenticator.authenticate(Redacted.make(token))
    const present = (from: Issuer, payload = {}, header = {}) =>
      Effect.suspend(() => send(goodToken(from, Math.floor(Date.now() / 1000), payload, header)))
    const refusal = (from: Issuer, payload = {}, header = {}) => present(from, payload, header).pipe(Effect.flip)
    return { server, send, present, refusal }
  })
