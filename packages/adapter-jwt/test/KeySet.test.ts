/** The key set of an issuer against a local key server: rotation, outages, limits on loads, and invalid responses. */
import { Authenticator } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { goodToken, publicJwk } from "./Issuer.ts"
import { down, good, keyServer, silent, until } from "./KeyServer.ts"
import { Oidc } from "../src/index.ts"
import { AUD, ISS, key, setUp, START } from "./setUp.ts"

describe("KeySet", () => {
  it.effect("rotation under load refuses no good token, and accepts none of the withdrawn key", () =>
    Effect.gen(function* () {
      const [first, second] = [key("first"), key("second")]
      const { present, refusal, server } = yield* setUp([first])
      yield* present(first)
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

  it.effect("keys are loaded periodically, also without tokens", () =>
    Effect.gen(function* () {
      const { server } = yield* setUp([key("1")])
      yield* until(() => server.requests.length === 1)
      for (const expected of [2, 3, 4]) {
        yield* TestClock.adjust("10 minutes")
        yield* until(() => server.requests.length >= expected)
      }
    })
  )

  it.effect("a key that signs as soon as it is published is loaded immediately", () =>
    Effect.gen(function* () {
      const keys = Array.from({ length: 6 }, (_, i) => key(`key-${i}`))
      const { present, refusal, server } = yield* setUp(keys.slice(0, 1))
      for (const [i, one] of keys.entries()) {
        server.publish = keys.slice(0, i + 1).map(publicJwk)
        yield* present(one)
        assert.strictEqual(server.requests.length, i + 1)
      }
      const late = key("late")
      server.publish = [publicJwk(late)]
      assert.strictEqual((yield* refusal(late)).reason, "the token is signed with an unknown key")
      yield* TestClock.adjust("10 seconds")
      yield* present(late)
    })
  )

  it.effect("many tokens of one withdrawn key do not delay the load of a new key", () =>
    Effect.gen(function* () {
      const [withdrawn, ...keys] = Array.from({ length: 5 }, (_, i) => key(`key-${i}`))
      const { present, refusal, server } = yield* setUp([withdrawn!])
      yield* present(withdrawn!)
      server.publish = keys.slice(0, 1).map(publicJwk)
      yield* present(keys[0]!)
      for (const [i, one] of keys.entries()) {
        const crowd = Array.from({ length: 100 }, () => refusal(withdrawn!))
        yield* Effect.all(crowd, { concurrency: 20 })
        server.publish = keys.slice(0, i + 1).map(publicJwk)
        yield* present(one)
      }
      assert.strictEqual(server.requests.length, 1 + 4 + 1)
    })
  )

  it.effect("a load that began before a key was published is no reason to refuse it", () =>
    Effect.gen(function* () {
      const [first, second, third] = [key("first"), key("second"), key("third")]
      const { present, server } = yield* setUp([first])
      yield* present(first)
      let release = () => {}
      server.answer = (response, keys) => void (release = () => good(response, keys))
      server.publish = [first, second].map(publicJwk)
      const early = yield* Effect.forkChild(present(second))
      yield* until(() => server.requests.length === 2)
      // The answer on its way holds no third key.
      server.answer = good
      server.publish = [first, second, third].map(publicJwk)
      const late = yield* Effect.forkChild(present(third))
      yield* Effect.yieldNow
      release()
      yield* Fiber.join(early)
      yield* Fiber.join(late)
      assert.strictEqual(server.requests.length, 3)
    })
  )

  it.effect("made-up kids cause five requests, and one per cooldown after those", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one])
      yield* present(one)
      for (let round = 0; round < 5; round++) {
        const errors = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, i) => `random-${round}-${i}`),
          (kid) => refusal({ ...one, kid }),
          { concurrency: 20 }
        )
        assert.isTrue(errors.every((error) => error._tag === "NotAuthenticated"))
        assert.isAtMost(server.requests.length, 1 + 5 + round)
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(server.requests.length, 1 + 5 + 4)
      assert.isTrue(server.requests.every((path) => path === "/jwks"))
      yield* present(one)
    })
  )

  it.effect("the last loaded keys are used during an outage, up to `keepFor`, and loading recovers by itself", () =>
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

  it.effect("before the first load no token is refused: authentication is unavailable", () =>
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

  it.effect("while the address is down, unknown keys cause one request per cooldown", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one])
      yield* present(one)
      server.answer = down
      for (let round = 1; round <= 3; round++) {
        for (let i = 0; i < 20; i++) yield* refusal({ ...one, kid: `unknown-${round}-${i}` })
        assert.strictEqual(server.requests.length, 1 + round)
        yield* TestClock.adjust("10 seconds")
      }
      yield* present(one)
    })
  )

  it.effect("a clock that was set back does not keep the keys from being loaded", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { present, refusal, server } = yield* setUp([one], {}, down)
      assert.strictEqual((yield* refusal(one))._tag, "AuthenticatorUnavailable")
      server.answer = good
      yield* TestClock.setTime(START - 3_600_000)
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
        Effect.provide(Oidc.layerFetch({ jwks: url, issuer: ISS, audience: AUD })),
        Effect.flip
      )
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
    })
  )

  it.effect("a load from a silent address ends after the timeout", () =>
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
        say(`{"keys":[${Array.from({ length: 101 }, () => jwk).join(",")}]}`),
        say(`{"keys":[${jwk}]`)
      ]) {
        const { refusal } = yield* setUp([one], {}, answer)
        assert.strictEqual((yield* refusal(one))._tag, "AuthenticatorUnavailable")
      }
    })
  )

  it.effect("one request runs at a time", () =>
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

  it.effect("an interrupted caller ends no load that other callers wait for", () =>
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
        Effect.provide(Layer.provide(Oidc.layer({ jwks: server.url, issuer: ISS, audience: AUD }), following)),
        Effect.flip
      )
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
    })
  )

  it.effect("the request for the keys has no header of callers and traces", () =>
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
})

const refuse = (status: number) => (response: Parameters<typeof good>[0]) => void response.writeHead(status).end()
const say = (body: string) => (response: Parameters<typeof good>[0]) => good(response, body)
const huge = (response: Parameters<typeof good>[0], keys: string) => good(response, keys + " ".repeat(2 ** 20))
const dripping = (response: Parameters<typeof good>[0]) => void response.writeHead(200).write('{"keys":')
