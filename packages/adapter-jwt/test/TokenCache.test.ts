/** The token cache: one verification for each token, and the events after which a cached token is refused or verified again. */
import { inspect } from "node:util"
import { Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { counted } from "./counted.ts"
import { goodToken, type Issuer, publicJwk } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { Authorities, Oidc, OwnIssuer } from "../src/index.ts"
import { AUD, ISS, key, setTime, START } from "./setUp.ts"

const NOW = START / 1000

/** An authenticator that trusts these keys, by the test's clock, and how many tokens it has verified. */
const trusting = Effect.fnUntraced(function* (
  published: ReadonlyArray<Issuer>,
  tokenCache: Authorities.Options["tokenCache"] = {}
) {
  yield* setTime(START)
  const server = yield* keyServer(published.map(publicJwk))
  const settings = { jwks: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes" } as const
  const { authority, verified } = counted(yield* Effect.provide(Oidc.authority(settings), FetchHttpClient.layer))
  const authenticator = yield* Effect.fromResult(Authorities.combine([authority], { tokenCache }))
  const send = (token: string) => authenticator.authenticate(Redacted.make(token))
  // The keys are loaded before the tokens that a test counts.
  yield* Effect.flip(send(goodToken(key("unknown"), NOW)))
  const before = verified()
  return { send, server, verified: () => verified() - before }
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

  it.effect("a token that has expired is forgotten a minute later, when another token is authenticated", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, verified } = yield* trusting([one])
      const token = goodToken(one, NOW, { exp: NOW + 60 })
      const other = goodToken(one, NOW, { sub: "other", ...hours(3) })
      yield* Effect.all([send(token), send(other)])
      yield* setTime(START + 59_000)
      yield* send(other)
      yield* setTime(START + 130_000)
      yield* send(other)
      assert.strictEqual(verified(), 2)
      // Only a clock that is set back tells that it is not there any more.
      yield* setTime(START)
      yield* Effect.all([send(token), send(other)])
      assert.strictEqual(verified(), 3)
    })
  )

  it.effect("a load of the same keys causes no further verification", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { send, server, verified } = yield* trusting([one])
      const token = goodToken(one, NOW)
      yield* send(token)
      yield* Effect.flip(send(goodToken({ ...one, kid: "made up" }, NOW)))
      assert.isAtLeast(server.requests.length, 2)
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
