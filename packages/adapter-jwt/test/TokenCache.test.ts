/** The token cache: one verification for each token, and the events after which a cached token is refused or verified again. */
import { inspect } from "node:util"
import { nameOfCaller, Operator, OperatorId, type RevokedTokens, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { counted } from "./counted.ts"
import { goodToken, type Issuer, publicJwk } from "./Issuer.ts"
import { keyServer } from "./KeyServer.ts"
import { Authorities, Oidc, OwnIssuer } from "../src/index.ts"
import { AUD, credentialsOfTexts, ISS, key, setTime, START } from "./setUp.ts"

const NOW = START / 1000

/** An authenticator that trusts these keys, by the test's clock, and how many tokens it has verified. */
const trusting = Effect.fnUntraced(function* (published: ReadonlyArray<Issuer>, revoked?: RevokedTokens) {
  yield* setTime(START)
  const server = yield* keyServer(published.map(publicJwk))
  const settings = { jwks: server.url, issuer: ISS, audience: AUD, timeout: "1 minutes" } as const
  const { authority, verified } = counted(yield* Effect.provide(Oidc.authority(settings), FetchHttpClient.layer))
  const authenticator = yield* Effect.fromResult(Authorities.combine([authority], revoked))
  const credentialOf = credentialsOfTexts()
  const send = (token: string) => authenticator.authenticate(credentialOf(token))
  // The keys are loaded before the tokens that a test counts.
  yield* Effect.flip(send(goodToken(key("unknown"), NOW)))
  const before = verified()
  return { send, server, verified: () => verified() - before }
})

/** Revocations that a test adds to, and how often they were asked. */
const someRevocations = () => {
  const revocations = new Map<string, number>()
  let version = 0
  let asked = 0
  return {
    known: () => void version++,
    revoke: (id: string, second: number) => {
      revocations.set(id, second)
      version++
    },
    asked: () => asked,
    revoked: {
      version: () => version,
      isRevoked: (caller, issuedAt) => {
        asked++
        const second = revocations.get(nameOfCaller(caller))
        return second !== undefined && (issuedAt === undefined || issuedAt < second)
      }
    } satisfies RevokedTokens
  }
}

describe("revoked tokens", () => {
  it.effect("are refused, also when they were verified before; other callers and later tokens are not", () =>
    Effect.gen(function* () {
      const one = key("1")
      const { revoked, revoke, known, asked } = someRevocations()
      const { send, verified } = yield* trusting([one], revoked)
      const token = (sub: string, payload = {}) => goodToken(one, NOW, { sub, ...payload })
      const tokens = [
        token("alice"),
        token("alice", { iat: NOW - 10 }),
        token("alice", { iat: undefined }),
        token("bob")
      ]
      const outcomes = Effect.forEach(tokens, (text) =>
        Effect.map(Effect.result(send(text)), (result) => (Result.isSuccess(result) ? "accepted" : result.failure._tag))
      )
      const unknown = yield* Effect.flip(send(tokens[0]!))
      assert.strictEqual(unknown._tag, "AuthenticatorUnavailable")
      known()
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(yield* outcomes, Array(4).fill("accepted"))
      assert.strictEqual(asked(), 4)
      revoke("operator alice", NOW - 5)
      const [REFUSED, ACCEPTED] = ["NotAuthenticated", "accepted"]
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(yield* outcomes, [ACCEPTED, REFUSED, REFUSED, ACCEPTED])
      revoke("operator alice", NOW + 1)
      assert.deepStrictEqual(yield* outcomes, [REFUSED, REFUSED, REFUSED, ACCEPTED])
      assert.strictEqual(verified(), 4)
    })
  )
})

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
