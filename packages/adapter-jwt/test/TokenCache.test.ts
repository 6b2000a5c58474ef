/** The token cache: one verification for each token, and the events after which a cached token is refused or verified again. */
import { inspect } from "node:util"
import { Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { counted } from "./counted.ts"
import { ALPHABET } from "./hostile/mutations.ts"
import { goodToken, type Issuer, publicJwk } from "./Issuer.ts"
import { down, keyServer } from "./KeyServer.ts"
import { Authorities, Oidc, OwnIssuer } from "../src/index.ts"
import { AUD, ISS, key, START } from "./setUp.ts"

const NOW = START / 1000

/** An authenticator that trusts these keys, by the test's clock, and how many tokens it has verified. */
const trusting = Effect.fnUntraced(function* (
  published: ReadonlyArray<Issuer>,
  tokenCache: Authorities.Options["tokenCache"] = {},
  options: Partial<Oidc.Options> = {}
) {
  yield* TestClock.setTime(START)
  const server = yield* keyServer(published.map(publicJwk))
  const settings = { jwks: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes", ...options } as const
  const { authority, verified } = counted(yield* Effect.provide(Oidc.authority(settings), FetchHttpClient.layer))
  const authenticator = yield* Effect.fromResult(Authorities.combine([authority], { tokenCache }))
  const send = (token: string) => authenticator.authenticate(Redacted.make(token))
  const reason = (token: string) => Effect.map(Effect.flip(send(token)), (_) => _.reason)
  return { authenticator, send, reason, server, verified }
})

const hours = (count: number) => ({ exp: NOW + count * 3600 })

describe("TokenCache", () => {
  it.effect("a token is verified once, and proves its own caller every time", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, verified } = yield* trusting([one])
      const tokens = ["alice", "bob"].map((sub) => [sub, goodToken(one, NOW, { sub })] as const)
      for (let i = 0; i < 3; i++) {
        for (const [sub, token] of tokens) assert.deepStrictEqual(yield* send(token), Operator(OperatorId.make(sub)))
      }
      assert.strictEqual(verified(), 2)
    })
  )

  it.effect("concurrent requests with one new token are all answered", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send } = yield* trusting([one])
      const token = goodToken(one, NOW)
      const callers = yield* Effect.all(
        Array.from({ length: 50 }, () => send(token)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(callers.every(({ _tag }) => _tag === "Operator"))
    })
  )

  it.effect("a token that differs in any one character is refused", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send } = yield* trusting([one])
      const token = goodToken(one, NOW)
      yield* send(token)
      for (let at = 0; at < token.length; at++) {
        const other = ALPHABET[(ALPHABET.indexOf(token[at] ?? "") + 1 + (at % 63)) % 64] ?? ""
        const changed = token.slice(0, at) + other + token.slice(at + 1)
        assert.strictEqual((yield* Effect.flip(send(changed)))._tag, "NotAuthenticated", changed)
      }
    })
  )

  it.effect("a hit is refused when it has expired, and before its time when the clock is set back", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, reason, verified } = yield* trusting([one])
      const old = { iat: NOW - 3600 }
      // `exp` and `nbf` are looked at by the whole second, `iat` is not.
      for (const [times, good, bad, why] of [
        [{ exp: NOW + 60 }, 64_999, 65_000, "the token has expired"],
        [{ exp: NOW + 60.5 }, 65_999, 66_000, "the token has expired"],
        [{ ...old, nbf: NOW - 60 }, -65_000, -65_001, "the token is not valid yet"],
        [{ ...old, nbf: NOW - 60.5 }, -65_000, -65_001, "the token is not valid yet"],
        [{ iat: NOW - 60 }, -65_000, -65_001, "the token was issued in the future"],
        [{ iat: NOW - 60.5 }, -65_500, -65_501, "the token was issued in the future"]
      ] as const) {
        const token = goodToken(one, NOW, times)
        yield* TestClock.setTime(START)
        yield* send(token)
        const before = verified()
        yield* TestClock.setTime(START + good)
        yield* send(token)
        assert.strictEqual(verified(), before)
        yield* TestClock.setTime(START + bad)
        assert.strictEqual(yield* reason(token), why)
      }
    })
  )

  it.effect("a token that has expired is forgotten a minute later, when another token is authenticated", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, verified } = yield* trusting([one])
      const token = goodToken(one, NOW, { exp: NOW + 60 })
      const other = goodToken(one, NOW, { sub: "other", ...hours(3) })
      yield* Effect.all([send(token), send(other)])
      yield* TestClock.setTime(START + 59_000)
      yield* send(other)
      yield* TestClock.setTime(START + 130_000)
      yield* send(other)
      assert.strictEqual(verified(), 2)
      // Only a clock that is set back tells that it is not there any more.
      yield* TestClock.setTime(START)
      yield* Effect.all([send(token), send(other)])
      assert.strictEqual(verified(), 3)
    })
  )

  it.effect("a removed key, or one that was replaced under its kid, answers no token that it has verified", () =>
    Effect.gen(function* () {
      const [removed, replaced, second] = [key("removed"), key("replaced"), key("second")]
      const { send, reason, server } = yield* trusting([removed, replaced])
      const [one, other] = [goodToken(removed, NOW), goodToken(replaced, NOW)]
      yield* send(one)
      yield* send(other)
      server.publish = [key("replaced"), second].map(publicJwk)
      // Its kid is new, so that the keys are loaded.
      yield* send(goodToken(second, NOW))
      assert.strictEqual(yield* reason(one), "the token is signed with an unknown key")
      assert.strictEqual(yield* reason(other), "the token's signature does not match")
    })
  )

  it.effect("keys that are too old answer no token that they have verified", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, reason, server } = yield* trusting([one], {}, { keepFor: "1 hours", refreshEvery: "1 days" })
      const token = goodToken(one, NOW, hours(5))
      yield* send(token)
      server.answer = down
      yield* TestClock.adjust("1 hours")
      yield* send(token)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* reason(token), "the issuer's keys are too old")
    })
  )

  it.effect("a load of the same keys causes no further verification", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, server, verified } = yield* trusting([one])
      const token = goodToken(one, NOW)
      yield* send(token)
      yield* Effect.flip(send(goodToken({ ...one, kid: "made up" }, NOW)))
      assert.strictEqual(server.requests.length, 2)
      yield* send(token)
      assert.strictEqual(verified(), 2)
    })
  )

  it.effect("many valid tokens stay within the bounds, and tokens in use are kept", () =>
    Effect.gen(function* () {
      const one = key("1")
      const tokens = Array.from({ length: 100 }, (_, i) => goodToken(one, NOW, { sub: `${i}`.padStart(3, "0") }))
      const length = tokens[0]!.length
      for (const tokenCache of [{ tokens: 20 }, { characters: 20 * length }]) {
        const { send, verified } = yield* trusting([one], tokenCache)
        const inUse = goodToken(one, NOW, { sub: "use" })
        for (const token of tokens) {
          yield* send(token)
          yield* send(inUse)
        }
        assert.strictEqual(verified(), 101)
        for (const token of tokens) yield* send(token)
        assert.isAtLeast(verified(), 101 + 80)
      }
    })
  )

  it.effect("it can be turned off, and bounds that are no counts are refused", () =>
    Effect.gen(function* () {
      const one = key("1")
      for (const tokenCache of [{ tokens: 0 }, { characters: 0 }]) {
        const { send, verified } = yield* trusting([one], tokenCache)
        const token = goodToken(one, NOW)
        yield* send(token)
        yield* send(token)
        assert.strictEqual(verified(), 2)
      }
      const own = yield* Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode)
      for (const count of [-1, 0.5, NaN, Infinity]) {
        for (const tokenCache of [{ tokens: count }, { characters: count }]) {
          const error = yield* Effect.flip(Authorities.make([OwnIssuer.authority(own)], { tokenCache }))
          assert.include(error.reason, "tokenCache")
          assert.isTrue(Exit.hasDies(yield* Effect.exit(OwnIssuer.make(own, { tokenCache }))))
        }
      }
    })
  )

  it.effect("the authenticator shows no token that it has verified", () =>
    Effect.gen(function* () {
      const own = yield* Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode)
      const authenticator = yield* OwnIssuer.make(own)
      const token = yield* OwnIssuer.mint(own, User(UserId.make("alice")), { expiresIn: 60 })
      yield* authenticator.authenticate(token)
      const shown = inspect(authenticator, { depth: Infinity, showHidden: true }) + JSON.stringify(authenticator)
      for (const part of Redacted.value(token).split(".")) assert.notInclude(shown, part)
    })
  )
})
