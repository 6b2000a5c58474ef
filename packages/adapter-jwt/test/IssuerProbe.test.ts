/** The probe of an issuer for operators: what it reports about the discovery document, the keys and the clock. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { TestClock } from "effect/testing"
import { Oidc } from "../src/index.ts"
import { publicJwk, weakKey } from "./Issuer.ts"
import { down, good, keyServer, silent, until } from "./KeyServer.ts"
import { AUD, key, START } from "./setUp.ts"

const probe = (options: Oidc.Options) => Effect.provide(Oidc.probe(options), FetchHttpClient.layer)

/** An issuer whose clock is as far ahead of ours as is said, in seconds. */
const provider = Effect.fnUntraced(function* (ahead = 0) {
  yield* TestClock.setTime(START)
  const server = yield* keyServer([publicJwk(key("1")), publicJwk(key("2", "RS256"))])
  const date = new Date(START + ahead * 1000).toUTCString()
  server.answer = (response, keys) => good(response.setHeader("date", date), keys)
  server.other = (response) => good(response, JSON.stringify({ issuer: server.address, jwks_uri: server.url }))
  return { server, options: { issuer: server.address, audience: AUD } satisfies Oidc.Options }
})

describe("the probe of an issuer", () => {
  it.effect("a working issuer is reported with its keys", () =>
    Effect.gen(function* () {
      const { server, options } = yield* provider(3)
      const keys = {
        _tag: "Ok" as const,
        url: server.url,
        usable: [
          { kid: "1", type: "OKP Ed25519", algorithms: ["EdDSA"] },
          { kid: "2", type: "RSA", algorithms: ["RS256"] }
        ],
        ignored: []
      }
      const facts: Oidc.Facts = {
        issuer: server.address,
        isFine: true,
        discovery: { _tag: "Ok", url: `${server.address}/.well-known/openid-configuration`, jwks: server.url },
        keys,
        clockAhead: 3,
        problems: []
      }
      assert.deepStrictEqual(yield* probe(options), facts)
      assert.deepStrictEqual(yield* probe({ ...options, jwks: server.url }), {
        ...facts,
        discovery: { _tag: "NotTried" }
      })
    })
  )

  it.effect("ignored keys are reported with the reason", () =>
    Effect.gen(function* () {
      const { server, options } = yield* provider()
      server.publish = [publicJwk(weakKey("weak")), { ...publicJwk(key("1")), kid: undefined, use: "enc" }]
      const facts = yield* probe({ ...options, algorithms: ["RS256"] })
      const why = "it verifies no RS256: its type, use, size or form is another, or it is private"
      assert.isFalse(facts.isFine)
      assert.deepStrictEqual(facts.problems, [
        "None of the issuer's keys can be used.",
        `The key weak is ignored: ${why}.`,
        `The key without kid is ignored: ${why}.`
      ])
    })
  )

  it.effect("a wrong clock is reported with its difference", () =>
    Effect.gen(function* () {
      for (const ahead of [-90, 90]) {
        const { options } = yield* provider(ahead)
        const facts = yield* probe(options)
        assert.strictEqual(facts.clockAhead, ahead)
        assert.isTrue(facts.isFine)
        assert.strictEqual(facts.problems.length, 1)
        assert.include(facts.problems[0], `${Math.abs(ahead)} s ${ahead < 0 ? "behind" : "ahead of"}`)
      }
      const { options } = yield* provider(60)
      assert.deepStrictEqual((yield* probe({ ...options, clockSkew: "60 seconds" })).problems, [])
    })
  )

  it.effect("a fault of the issuer is reported at its step", () =>
    Effect.gen(function* () {
      const { server, options } = yield* provider()
      server.answer = down
      const withoutKeys = yield* probe(options)
      assert.strictEqual(withoutKeys.discovery._tag, "Ok")
      assert.deepStrictEqual(withoutKeys.keys, { _tag: "Failed", reason: "the request failed (TransportError)" })
      assert.isFalse(withoutKeys.isFine)

      server.other = (response) => good(response, JSON.stringify({ issuer: "https://evil.example", jwks_uri: "x" }))
      const withoutAddress = yield* probe(options)
      assert.strictEqual(withoutAddress.discovery._tag, "Failed")
      assert.deepStrictEqual(withoutAddress.keys, { _tag: "NotTried" })
      assert.deepStrictEqual(withoutAddress.problems, [
        "The address of the keys is not known: discovery: the document is of another issuer than the configured one."
      ])

      server.other = silent
      const before = server.requests.length
      const waiting = yield* Effect.forkChild(probe(options))
      yield* until(() => server.requests.length > before)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual((yield* Fiber.join(waiting)).discovery, { _tag: "Failed", reason: "no answer in 5s" })
    })
  )

  it.effect("options that cannot be used are no facts about the issuer", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(probe({ issuer: "http://login.example", audience: AUD }))
      assert.strictEqual(error._tag, "InvalidOptions")
    })
  )
})
