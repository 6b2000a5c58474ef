/** OpenID Connect discovery against a local HTTP server: the document, the address of the keys, redirects and changes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { Oidc } from "../src/index.ts"
import { goodToken, type Issuer, type Json, publicJwk } from "./Issuer.ts"
import { down, good, type KeyServer, keyServer, until } from "./KeyServer.ts"
import { AUD, currentSeconds, key, START } from "./setUp.ts"

const DISCOVERY = "/.well-known/openid-configuration"

/** An issuer with a discovery document, which `document` changes, and its keys at `/jwks`. */
const discovered = Effect.fnUntraced(function* (
  one: Issuer,
  document: (server: KeyServer) => Json = () => ({}),
  path = ""
) {
  yield* TestClock.setTime(START)
  const server = yield* keyServer([publicJwk(one)])
  const issuer = server.address + path
  const describe = () => JSON.stringify({ issuer, jwks_uri: server.url, ...document(server) })
  server.other = (response) => good(response, describe())
  const options: Oidc.Options = { issuer, audience: AUD, timeout: "1 minutes" }
  const { authenticate } = yield* Effect.provide(Oidc.make(options), FetchHttpClient.layer)
  const present = (by: Issuer) =>
    Effect.flatMap(currentSeconds, (now) => authenticate(Redacted.make(goodToken({ ...by, iss: issuer }, now))))
  return { server, present }
})

describe("Discovery", () => {
  it.effect("the issuer's own document names the address of its keys", () =>
    Effect.gen(function* () {
      for (const path of ["", "/", "/realms/town", "/tenant/"]) {
        const one = key("1")
        const { server, present } = yield* discovered(one, undefined, path)
        yield* present(one)
        assert.deepStrictEqual(server.requests, [path.replace(/\/$/, "") + DISCOVERY, "/jwks"])
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
        () => ({ jwks_uri: trap.url.replace("http:", "ftp:") }),
        () => ({ jwks_uri: "http://login.example/jwks" }),
        () => ({ jwks_uri: "http://169.254.169.254/latest" }),
        () => ({ jwks_uri: trap.url.replace("//", "//user:secret@") })
      ]
      for (const document of documents) {
        const { server, present } = yield* discovered(one, document)
        assert.strictEqual((yield* Effect.flip(present(one)))._tag, "AuthenticatorUnavailable")
        assert.deepStrictEqual(server.requests, [DISCOVERY])
      }
      assert.deepStrictEqual(trap.requests, [])
    })
  )

  it.effect("an https issuer cannot name an http address, on this machine neither", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const requested: Array<string> = []
      const answering = Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, url) => {
          requested.push(url.href)
          const body = JSON.stringify({ issuer: "https://login.example", jwks_uri: "http://127.0.0.1:1/jwks" })
          const response = new Response(body)
          Object.defineProperty(response, "url", { value: url.href })
          return Effect.succeed(HttpClientResponse.fromWeb(request, response))
        })
      )
      const one = { ...key("1"), iss: "https://login.example" }
      const { authenticate } = yield* Effect.provide(Oidc.make({ issuer: one.iss, audience: AUD }), answering)
      const error = yield* Effect.flip(authenticate(Redacted.make(goodToken(one, START / 1000))))
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
      assert.deepStrictEqual(requested, [`https://login.example${DISCOVERY}`])
    })
  )

  it.effect("redirects of the document are not followed", () =>
    Effect.gen(function* () {
      const one = key("1")
      const trap = yield* keyServer([publicJwk(one)])
      const { server, present } = yield* discovered(one)
      server.other = (response) => void response.writeHead(302, { location: trap.url }).end()
      assert.strictEqual((yield* Effect.flip(present(one)))._tag, "AuthenticatorUnavailable")
      assert.deepStrictEqual(trap.requests, [])
    })
  )

  it.effect("a new key causes one request, and the document is loaded again periodically", () =>
    Effect.gen(function* () {
      const [first, second] = [key("1"), key("2")]
      const { server, present } = yield* discovered(first)
      yield* present(first)
      server.publish = [first, second].map(publicJwk)
      yield* present(second)
      assert.deepStrictEqual(server.requests, [DISCOVERY, "/jwks", "/jwks"])
      yield* TestClock.adjust("10 minutes")
      yield* until(() => server.requests.length === 5)
      assert.deepStrictEqual(server.requests.slice(3), [DISCOVERY, "/jwks"])
    })
  )

  it.effect("a document that cannot be loaded makes authentication unavailable, until it can be", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { server, present } = yield* discovered(one)
      const { other } = server
      server.other = down
      const error = yield* Effect.flip(present(one))
      assert.strictEqual(error._tag, "AuthenticatorUnavailable")
      assert.strictEqual(error.reason, "the issuer's keys were never loaded")
      server.other = other
      yield* TestClock.adjust("10 seconds")
      yield* present(one)
    })
  )

  it.effect("keys at a new address are found", () =>
    Effect.gen(function* () {
      const [first, second] = [key("1"), key("2")]
      const moved = yield* keyServer([publicJwk(second)])
      let jwks_uri: string | undefined
      const { server, present } = yield* discovered(first, ({ url }) => ({ jwks_uri: jwks_uri ?? url }))
      yield* present(first)
      jwks_uri = moved.url
      server.answer = (response) => void response.writeHead(404).end()
      yield* Effect.flip(present(second))
      yield* TestClock.adjust("10 seconds")
      yield* present(second)
    })
  )
})
