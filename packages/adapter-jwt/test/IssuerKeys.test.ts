/** The keys of an issuer: rotation, limits on loads, outages, and answers of hostile issuers and networks. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Oidc } from "../src/index.ts"
import { BURST } from "../src/IssuerKeys.ts"
import { goodToken, type Issuer, type Json, publicJwk } from "./Issuer.ts"
import { down, good, type KeyServer, keyServer, silent, until } from "./KeyServer.ts"
import { adjust, AUD, ISS, key, setTime, setUp, START } from "./setUp.ts"

type Answer = KeyServer["answer"]
const DISCOVERY = "/.well-known/openid-configuration"
const UNKNOWN = "the token is signed with an unknown key"
const UNAVAILABLE = "AuthenticatorUnavailable"

const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end()
const say =
  (body: string): Answer =>
  (response) =>
    good(response, body)
const tooLarge: Answer = (response, keys) => good(response, keys + " ".repeat(2 ** 20))
const endless: Answer = (response) => {
  response.on("drain", () => response.write(" ".repeat(2 ** 16)))
  response.writeHead(200).write(" ".repeat(2 ** 18))
}
const dripping: Answer = (response) => void response.writeHead(200).write('{"keys":')

/** An issuer with a discovery document, which `document` changes, and its keys at `/jwks`. */
const discovered = Effect.fnUntraced(function* (
  one: Issuer,
  document: (server: KeyServer) => Json = () => ({}),
  path = ""
) {
  yield* setTime(START)
  const server = yield* keyServer([publicJwk(one)])
  const issuer = server.address + path
  server.other = (response) => good(response, JSON.stringify({ issuer, jwks_uri: server.url, ...document(server) }))
  const options: Oidc.Options = { issuer, audience: AUD, timeout: "1 minutes" }
  const { authenticate } = yield* Effect.provide(Oidc.make(options), FetchHttpClient.layer)
  const present = (by: Issuer) =>
    Effect.suspend(() => authenticate(Redacted.make(goodToken({ ...by, iss: issuer }, Date.now() / 1000))))
  return { server, present }
})

describe("keys of an issuer", () => {
  it.effect("rotation under load refuses no good token, and accepts none of the withdrawn key", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second", "ES256")]
      const { present, refusal, server } = yield* setUp([first])
      yield* present(first)
      server.publish = [first, second].map(publicJwk)
      const forged = { ...key("second", "ES256"), kid: "second" }
      const crowd = Array.from({ length: 300 }, (_, i) =>
        i % 3 === 0 ? present(first) : i % 3 === 1 ? present(second) : refusal(forged)
      )
      yield* Effect.all(crowd, { concurrency: 50 })
      assert.strictEqual(server.requests.length, 2)
      server.publish = [publicJwk(second)]
      yield* adjust("10 minutes")
      yield* until(() => server.requests.length === 3)
      // The answer that the server has sent is still to be read.
      while ((yield* Effect.result(present(first)))._tag === "Success") yield* present(second)
      assert.strictEqual((yield* refusal(first)).reason, UNKNOWN)
      yield* present(second)
    })
  )

  it.effect("keys are loaded every `refreshEvery`, also without tokens", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, server } = yield* setUp([one])
      for (const expected of [1, 2, 3]) {
        yield* until(() => server.requests.length === expected)
        yield* present(one)
        yield* adjust("10 minutes")
      }
    })
  )

  it.effect(
    "made-up kids cause five requests, one per cooldown after those, and none delays a new key for longer",
    () =>
      Effect.gen(function* () {
        const [one, late] = [key("1"), key("late")]
        const { present, refusal, server } = yield* setUp([one])
        yield* present(one)
        for (let round = 0; round < 3; round++) {
          const kids = Array.from({ length: 200 }, (_, i) => `random-${round}-${i}`)
          const errors = yield* Effect.forEach(kids, (kid) => refusal({ ...one, kid }), { concurrency: 20 })
          assert.isTrue(errors.every(({ reason }) => reason === UNKNOWN))
          assert.strictEqual(server.requests.length, BURST + round)
          yield* adjust("10 seconds")
        }
        server.publish = [one, late].map(publicJwk)
        yield* present(late)
        yield* present(one)
        assert.deepStrictEqual([...new Set(server.requests)], ["/jwks"])
      })
  )

  it.effect("a failed load keeps the last good keys up to `keepFor`, and loading recovers", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one], { cooldown: "1 hours" })
      yield* present(one)
      for (const answer of [down, status(500), say("<html>"), say('{"keys":[]}'), tooLarge]) {
        const before = server.requests.length
        server.answer = answer
        yield* adjust("1 hours")
        yield* until(() => server.requests.length > before)
        yield* present(one)
        for (let i = 0; i < 20; i++) assert.strictEqual((yield* refusal(key(`unknown-${i}`))).reason, UNKNOWN)
        yield* present(one)
        assert.isAtMost(server.requests.length, before + BURST)
      }
      server.answer = down
      yield* adjust("18 hours")
      yield* adjust("59 minutes")
      yield* present(one)
      yield* adjust("1 minutes")
      assert.strictEqual((yield* refusal(one)).reason, "the issuer's keys are too old")
      server.answer = good
      yield* adjust("1 hours")
      yield* present(one)
    })
  )

  it.effect("before the first load authentication is unavailable, with as few requests", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server, send } = yield* setUp([one], {}, down)
      const errors = yield* Effect.forEach(Array.from({ length: 50 }), () => refusal(one), { concurrency: 10 })
      for (const error of errors) {
        assert.strictEqual(error._tag, UNAVAILABLE)
        assert.strictEqual(error.reason, "the issuer's keys were never loaded")
      }
      assert.strictEqual(server.requests.length, BURST)
      assert.strictEqual((yield* Effect.flip(send("no token")))._tag, "NotAuthenticated")
      assert.strictEqual((yield* refusal(one, {}, { alg: "HS256" }))._tag, "NotAuthenticated")
      server.answer = good
      // A clock that was set back does not keep the keys from being loaded.
      yield* setTime(START - 3_600_000)
      yield* refusal(one)
      yield* adjust("10 seconds")
      yield* present(one)
    })
  )

  it.effect("a load ends after the timeout, whether the issuer is silent, drips or never ends", () =>
    Effect.gen(function* () {
      const one = key("1")
      for (const answer of [silent, dripping, endless]) {
        const { present, refusal, server } = yield* setUp([one], { timeout: "300 millis" }, answer)
        const waiting = yield* Effect.all([refusal(one), refusal(one)], { concurrency: 2 })
        assert.deepStrictEqual(
          waiting.map(({ _tag }) => _tag),
          [UNAVAILABLE, UNAVAILABLE]
        )
        // Both waited for one load.
        assert.strictEqual(server.requests.length, 1)
        server.answer = good
        yield* present(one)
      }
    })
  )

  it.effect("an interrupted caller ends no load that other callers wait for", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second")]
      const { present, server } = yield* setUp([first])
      yield* present(first)
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

  it.effect("an answer that is no key set, or a too large one, is not used", () =>
    Effect.gen(function* () {
      const one = key("1")
      const jwk = JSON.stringify(publicJwk(one))
      const answers: ReadonlyArray<Answer> = [
        tooLarge,
        (response, keys) => void response.writeHead(404).end(keys),
        say(""),
        say("<html>"),
        say(jwk),
        say(`[${jwk}]`),
        say('{"keys":[]}'),
        say('{"keys":{}}'),
        say('{"keys":[{"kty":"oct","k":"AAAA"}]}'),
        say(`{"keys":[${jwk},7]}`),
        say(`{"keys":[${Array.from({ length: 101 }, () => jwk).join(",")}]}`),
        say(`{"keys":[${jwk}]`)
      ]
      for (const answer of answers) {
        const { refusal } = yield* setUp([one], {}, answer)
        assert.strictEqual((yield* refusal(one))._tag, UNAVAILABLE)
      }
    })
  )

  it.effect("redirects of keys and of the discovery document are not followed", () =>
    Effect.gen(function* () {
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      for (const code of [301, 302, 307]) {
        const { refusal } = yield* setUp([one], {}, status(code, { location: trap.url }))
        assert.strictEqual((yield* refusal(one))._tag, UNAVAILABLE)
      }
      const { server, present } = yield* discovered(one)
      server.other = status(302, { location: trap.url })
      assert.strictEqual((yield* Effect.flip(present(one)))._tag, UNAVAILABLE)
      assert.deepStrictEqual(trap.requests, [])
    })
  )

  it.effect("keys that a redirecting client fetched elsewhere are not used", () =>
    Effect.gen(function* () {
      yield* setTime(START)
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      const server = yield* keyServer()
      server.answer = status(302, { location: trap.url })
      const following = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, HttpClient.followRedirects())
      ).pipe(Layer.provide(FetchHttpClient.layer))
      const { authenticate } = yield* Effect.provide(
        Oidc.make({ jwks: server.url, issuer: ISS, audience: AUD }),
        following
      )
      const error = yield* Effect.flip(authenticate(Redacted.make(goodToken(one, START / 1000))))
      assert.strictEqual(error._tag, UNAVAILABLE)
    })
  )

  it.effect("the request for the keys has no header of callers and traces", () =>
    Effect.gen(function* () {
      const { present, server } = yield* setUp([])
      server.publish = [publicJwk(key("1"))]
      yield* Effect.withSpan(Effect.ignore(present(key("1"))), "call")
      const sent = Object.keys(server.headers[0] ?? {})
      for (const name of ["traceparent", "b3", "authorization", "cookie"]) assert.notInclude(sent, name)
    })
  )
})

describe("discovery", () => {
  it.effect("the issuer's own document names the address of its keys, which may change", () =>
    Effect.gen(function* () {
      for (const path of ["", "/", "/realms/town"]) {
        const [first, second] = [key("1"), key("2")]
        let jwks_uri: string | undefined
        const { server, present } = yield* discovered(first, ({ url }) => ({ jwks_uri: jwks_uri ?? url }), path)
        yield* present(first)
        assert.deepStrictEqual(server.requests, [path.replace(/\/$/, "") + DISCOVERY, "/jwks"])
        jwks_uri = (yield* keyServer([publicJwk(second)])).url
        yield* present(second)
      }
    })
  )

  it.effect("a document of another issuer, or with an address that is not fine, is not used", () =>
    Effect.gen(function* () {
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      const documents: ReadonlyArray<(server: KeyServer) => Json> = [
        () => ({ issuer: "https://evil.example", jwks_uri: trap.url }),
        ({ address }) => ({ issuer: `${address}/`, jwks_uri: trap.url }),
        () => ({ issuer: undefined, jwks_uri: trap.url }),
        () => ({ jwks_uri: undefined }),
        () => ({ jwks_uri: 7 }),
        () => ({ jwks_uri: "/jwks" }),
        () => ({ jwks_uri: "file:///etc/passwd" }),
        () => ({ jwks_uri: "http://login.example/jwks" }),
        () => ({ jwks_uri: "http://169.254.169.254/latest" }),
        () => ({ jwks_uri: trap.url.replace("//", "//user:secret@") })
      ]
      for (const document of documents) {
        const { server, present } = yield* discovered(one, document)
        assert.strictEqual((yield* Effect.flip(present(one)))._tag, UNAVAILABLE)
        assert.deepStrictEqual(server.requests, [DISCOVERY])
      }
      assert.deepStrictEqual(trap.requests, [])
    })
  )

  it.effect("an https issuer cannot name an http address, on this machine neither", () =>
    Effect.gen(function* () {
      yield* setTime(START)
      const requested: Array<string> = []
      const answering = Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, url) => {
          requested.push(url.href)
          const response = Response.json({ issuer: ISS, jwks_uri: "http://127.0.0.1:1/jwks" })
          Object.defineProperty(response, "url", { value: url.href })
          return Effect.succeed(HttpClientResponse.fromWeb(request, response))
        })
      )
      const { authenticate } = yield* Effect.provide(Oidc.make({ issuer: ISS, audience: AUD }), answering)
      const error = yield* Effect.flip(authenticate(Redacted.make(goodToken(key("1"), START / 1000))))
      assert.strictEqual(error._tag, UNAVAILABLE)
      assert.deepStrictEqual(requested, [ISS + DISCOVERY])
    })
  )
})
