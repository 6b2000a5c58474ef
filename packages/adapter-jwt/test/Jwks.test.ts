import { Authenticator, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { goodHeader, goodPayload, goodToken, hmac, issuer, type Issuer, publicJwk } from "./Issuer.ts"
import { down, good, type KeyServer, keyServer, silent, until } from "./KeyServer.ts"
import { Jwks } from "../src/index.ts"

const START = Date.UTC(2026, 2, 1, 8)
const ISS = "https://login.example"
const AUD = "sojourn"

const key = (kid: string, alg: "EdDSA" | "ES256" | "RS256" | "PS256" = "EdDSA") => issuer(alg, kid, ISS, AUD)

const currentSeconds = Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (ms) => Math.floor(ms / 1000)))

const setUp = (
  published: ReadonlyArray<Issuer>,
  options: Partial<Jwks.Options> = {},
  answer: KeyServer["answer"] = good
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const server = yield* keyServer(published.map(publicJwk))
    server.answer = answer
    // The network is real and the clock is not: a step of the clock must not be a timeout by chance.
    const settings = { url: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes", ...options } as const
    const authenticator = yield* Jwks.make(settings).pipe(Effect.provide(FetchHttpClient.layer))
    const send = (token: string) => authenticator.authenticate(Redacted.make(token))
    const present = (from: Issuer, payload = {}, header = {}) =>
      Effect.flatMap(currentSeconds, (now) => send(goodToken(from, now, payload, header)))
    const refusal = (from: Issuer, payload = {}, header = {}) => present(from, payload, header).pipe(Effect.flip)
    return { server, send, present, refusal }
  })

describe("Jwks", () => {
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
      const { present, refusal } = yield* setUp([one], { kindClaim: "role", type: "at+jwt" })
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
      yield* TestClock.adjust("10 seconds")
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

  it.effect("rotation under load refuses no good token, and accepts none of the withdrawn key", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second")]
      const { present, refusal, server } = yield* setUp([first])
      yield* present(first)
      yield* TestClock.adjust("10 seconds")
      server.publish = [first, second].map(publicJwk)
      const both = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? first : second))
      yield* Effect.forEach(both, (from) => present(from), { concurrency: 50 })
      assert.strictEqual(server.requests.length, 2)
      server.publish = [publicJwk(second)]
      yield* TestClock.adjust("10 minutes")
      yield* until(() => server.requests.length >= 3)
      yield* Effect.forEach(both, () => present(second), { concurrency: 50 })
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* refusal(first))._tag, "NotAuthenticated")
      yield* present(second)
    })
  )

  it.effect("keys are loaded again in time without any token asking for it", () =>
    Effect.gen(function* () {
      const { server } = yield* setUp([key("1")])
      yield* until(() => server.requests.length === 1)
      for (const expected of [2, 3, 4]) {
        yield* TestClock.adjust("10 minutes")
        yield* until(() => server.requests.length >= expected)
      }
    })
  )

  it.effect("a key that appears within the cooldown is known after it", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second")]
      const { present, refusal, server } = yield* setUp([first], { cooldown: "10 seconds" })
      yield* present(first)
      server.publish = [first, second].map(publicJwk)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual((yield* refusal(second)).reason, "the token is signed with an unknown key")
      yield* TestClock.adjust("1 seconds")
      yield* present(second)
    })
  )

  it.effect("200 random kids cause one request per cooldown at most", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one])
      yield* present(one)
      for (let round = 0; round < 5; round++) {
        const before = server.requests.length
        const errors = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, i) => `random-${round}-${i}`),
          (kid) => refusal({ ...one, kid }),
          { concurrency: 20 }
        )
        assert.isTrue(errors.every((error) => error._tag === "NotAuthenticated"))
        assert.isAtMost(server.requests.length - before, 1)
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(server.requests.length, 5)
      assert.isTrue(server.requests.every((path) => path === "/jwks"))
      yield* present(one)
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
        goodToken(one, now, {}, { kid: "unknown", crit: ["exp"] })
      ]) {
        assert.strictEqual((yield* Effect.flip(send(token)))._tag, "NotAuthenticated")
      }
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("the last good keys serve through an outage, up to a bound, and the service recovers by itself", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one], { cooldown: "5 minutes" })
      yield* present(one)
      for (const answer of [down, refuse(500), refuse(404), say("<html>"), say('{"keys":[]}'), say("[]"), huge]) {
        const before = server.requests.length
        server.answer = answer
        yield* TestClock.adjust("1 hours")
        yield* until(() => server.requests.length > before)
        yield* present(one)
        assert.strictEqual((yield* refusal(key("2")))._tag, "NotAuthenticated")
        yield* present(one)
      }
      server.answer = down
      yield* TestClock.adjust("17 hours")
      yield* present(one)
      yield* TestClock.adjust("1 seconds")
      const error = yield* refusal(one)
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
      assert.strictEqual(error.reason, "the issuer's keys are too old")
      server.answer = good
      let recovered = false
      for (let i = 0; i < 100 && !recovered; i++) {
        yield* TestClock.adjust("1 minutes")
        recovered = Result.isSuccess(yield* Effect.result(present(one)))
      }
      assert.isTrue(recovered)
    })
  )

  it.effect("before the first load nobody is refused: authentication is unavailable", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server, send } = yield* setUp([one], {}, down)
      const errors = yield* Effect.forEach(Array.from({ length: 50 }), () => refusal(one), { concurrency: 10 })
      for (const error of errors) {
        assert.strictEqual(error._tag, "AuthenticatorUnavailable")
        assert.strictEqual(error.reason, "the issuer's keys were never loaded")
      }
      assert.strictEqual(server.requests.length, 1)
      assert.strictEqual((yield* Effect.flip(send("no token")))._tag, "NotAuthenticated")
      server.answer = good
      yield* TestClock.adjust("10 seconds")
      yield* present(one)
    })
  )

  it.effect("nothing listens at the address: unavailable, and the layer still builds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const one = key("1")
      const url = yield* Effect.scoped(Effect.map(keyServer(), ({ url }) => url))
      const token = Redacted.make(goodToken(one, START / 1000))
      const error = yield* Authenticator.use((_) => _.authenticate(token)).pipe(
        Effect.provide(Jwks.layerFetch({ url, issuer: ISS, audience: AUD })),
        Effect.flip
      )
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
    })
  )

  it.effect("a silent address is given up after the timeout", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { refusal, server, present } = yield* setUp([one], { timeout: "5 seconds" }, silent)
      for (const answer of [silent, dripping]) {
        const before = server.requests.length
        server.answer = answer
        if (answer === dripping) yield* TestClock.adjust("10 seconds")
        const waiting = yield* Effect.forkChild(refusal(one))
        yield* until(() => server.requests.length > before)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual((yield* Fiber.join(waiting))._tag, "AuthenticatorUnavailable")
      }
      server.answer = good
      yield* TestClock.adjust("10 seconds")
      yield* present(one)
    })
  )

  it.effect("an answer that is no key set, or a too large one, is not used", () =>
    Effect.gen(function* () {
      const one = key("1")
      const jwk = JSON.stringify(publicJwk(one))
      for (const answer of [
        huge,
        refuse(204),
        say(""),
        say("<html>"),
        say(jwk),
        say(`[${jwk}]`),
        say('{"keys":[]}'),
        say('{"keys":{}}'),
        say('{"keys":[{"kty":"oct","k":"AAAA"}]}'),
        say(`{"keys":[${jwk},7]}`),
        say(`{"keys":[${jwk}]`)
      ]) {
        const { refusal } = yield* setUp([one], {}, answer)
        assert.strictEqual((yield* refusal(one))._tag, "AuthenticatorUnavailable")
      }
    })
  )

  it.effect("one request runs at a time, however long it takes", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { refusal, server } = yield* setUp([one], { timeout: "60 seconds", cooldown: "1 seconds" }, silent)
      const waiting = yield* Effect.forkChild(refusal(one))
      yield* until(() => server.requests.length === 1)
      yield* TestClock.adjust("30 seconds")
      const another = yield* Effect.forkChild(refusal(one))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "AuthenticatorUnavailable")
      assert.strictEqual((yield* Fiber.join(another))._tag, "AuthenticatorUnavailable")
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("a caller who goes away ends no load that others wait for", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second")]
      const { present, server } = yield* setUp([first])
      yield* present(first)
      yield* TestClock.adjust("10 seconds")
      let release = () => {}
      server.publish = [first, second].map(publicJwk)
      server.answer = (response, keys) => void (release = () => good(response, keys))
      const gone = yield* Effect.forkChild(present(second))
      yield* until(() => server.requests.length === 2)
      const patient = yield* Effect.forkChild(present(second))
      yield* Fiber.interrupt(gone)
      yield* present(first)
      release()
      assert.strictEqual((yield* Fiber.join(patient))._tag, "Operator")
      assert.strictEqual(server.requests.length, 2)
    })
  )

  it.effect("a redirect is not followed", () =>
    Effect.gen(function* () {
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      for (const status of [301, 302, 303, 307, 308]) {
        const { refusal, server } = yield* setUp(
          [one],
          {},
          (response) => void response.writeHead(status, { location: trap.url }).end()
        )
        assert.strictEqual((yield* refusal(one))._tag, "AuthenticatorUnavailable")
        assert.deepStrictEqual(server.requests, ["/jwks"])
      }
      assert.deepStrictEqual(trap.requests, [])
    })
  )

  it.effect("keys that a redirecting client fetched elsewhere are not used", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      const server = yield* keyServer()
      server.answer = (response) => void response.writeHead(302, { location: trap.url }).end()
      const following = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, HttpClient.followRedirects())
      ).pipe(Layer.provide(FetchHttpClient.layer))
      const error = yield* Authenticator.use((_) => _.authenticate(Redacted.make(goodToken(one, START / 1000)))).pipe(
        Effect.provide(Layer.provide(Jwks.layer({ url: server.url, issuer: ISS, audience: AUD }), following)),
        Effect.flip
      )
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
    })
  )

  it.effect("the request for the keys holds nothing of callers and traces", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, server } = yield* setUp([one])
      yield* Effect.withSpan(present(one), "call")
      assert.notProperty(server.headers[0], "traceparent")
      assert.notProperty(server.headers[0], "b3")
      assert.notProperty(server.headers[0], "authorization")
      assert.notProperty(server.headers[0], "cookie")
    })
  )

  it.effect("options that cannot be used are refused before any request", () =>
    Effect.gen(function* () {
      const url = "https://login.example/jwks"
      const wrong: ReadonlyArray<readonly [string, Partial<Jwks.Options>]> = [
        ["url", { url: "login.example/jwks" }],
        ["url", { url: "file:///etc/passwd" }],
        ["url", { url: "ftp://login.example/jwks" }],
        ["url", { url: "http://login.example/jwks" }],
        ["url", { url: "http://localhost.evil.example/jwks" }],
        ["url", { url: "https://user:secret@login.example/jwks" }],
        ["issuer", { issuer: "" }],
        ["audience", { audience: "" }],
        ["audience", { audience: [] }],
        ["audience", { audience: ["a", ""] }],
        ["kindClaim", { kindClaim: "" }],
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
        const error = yield* Jwks.make({ url, issuer: ISS, audience: AUD, ...options }).pipe(
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
      for (const [url, allowHttp] of [
        ["http://localhost:9/jwks", false],
        ["http://[::1]:9/jwks", false],
        ["http://keycloak.internal.invalid/jwks", true]
      ] as const) {
        yield* Jwks.make({ url, issuer: ISS, audience: AUD, allowHttp }).pipe(
          Effect.scoped,
          Effect.provide(FetchHttpClient.layer)
        )
      }
    })
  )
})

const refuse = (status: number) => (response: Parameters<typeof good>[0]) => void response.writeHead(status).end()
const say = (body: string) => (response: Parameters<typeof good>[0]) => good(response, body)
const huge = (response: Parameters<typeof good>[0], keys: string) => good(response, keys + " ".repeat(1024 * 1024))
const dripping = (response: Parameters<typeof good>[0]) => void response.writeHead(200).write('{"keys":')
