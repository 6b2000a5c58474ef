/** The token cache answers as verification without a cache does, over generated histories of time, keys and outages. */
import { assert, describe, it } from "@effect/vitest"
import type { Authenticator } from "@sojourn/core"
import { Arbitrary, Effect, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { vi } from "vitest"
import { goodToken, publicJwk } from "./Issuer.ts"
import { down, good, keyServer } from "./KeyServer.ts"
import { Authorities, Oidc } from "../src/index.ts"
import { AUD, credentialsOfTexts, ISS, key, setTime, START } from "./setUp.ts"
import { trials } from "./trials.ts"

const NOW = START / 1000
const DAY = 24 * 3600

const [first, second, other] = [key("1"), key("1"), key("2")]

/** `second` has the kid of `first`, which it replaces. */
const published = [[first], [second], [other], [first, other], [second, other], [first, second], []]

const times = [
  { exp: NOW + 60 },
  { exp: NOW + 90.5, nbf: NOW - 30.25 },
  { exp: NOW + DAY, nbf: NOW + 30 },
  { exp: NOW + DAY, iat: NOW + 30.5 }
]

const tokens = [
  ...times.map((payload) => goodToken(other, NOW, { iat: NOW - DAY, ...payload })),
  ...[first, second, other].flatMap((one) =>
    [one.kid, undefined].map((kid) => goodToken(one, NOW, { exp: NOW + DAY, iat: NOW - DAY }, { kid }))
  )
]

/** In milliseconds after the start: the last moment before any of these times counts, and the first after. */
const MOMENTS = [-35_001, -35_000, 0, 24_999, 25_000, 25_499, 25_500, 64_999, 65_000, 95_999, 96_000]

const RUNS = trials(25)

const SAME = -1
const NOWHERE = -1

const Step = Schema.Struct({
  /** All within a day, after which the keys would be loaded at a moment of their own. */
  at: Schema.Literals(MOMENTS),
  /** How much older the keys are than in the step before: within the cooldown, after it, and after `keepFor`. */
  keysAge: Schema.Literals([1_000, 10_000, 10_000, 5_400_000]),
  published: Schema.Literals([SAME, SAME, SAME, SAME, 0, 1, 2, 3, 4, 5, 6]),
  isDown: Schema.Literals([false, false, true])
})

const history = Arbitrary.array(
  Arbitrary.all([
    Arbitrary.schema(Step),
    Arbitrary.array(Arbitrary.schema(Schema.Literals([...tokens.keys()])), { minLength: 1, maxLength: 8 }),
    Arbitrary.schema(Schema.Literals([NOWHERE, NOWHERE, 0, 7, 40, 90, 150, 200]))
  ]),
  { minLength: 10, maxLength: 20 }
)

const damaged = (token: string, at: number) =>
  token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)

const outcome = (authenticator: Authenticator["Service"], credential: Redacted.Redacted<string>) =>
  Effect.map(
    Effect.result(authenticator.authenticate(credential)),
    Result.match({ onSuccess: (caller) => caller, onFailure: ({ _tag, reason }) => ({ _tag, reason }) })
  )

describe("TokenCache", () => {
  it.effect.prop(
    "answers as a verification does, over any changes of time, keys and their server",
    { history },
    ({ history }) =>
      Effect.gen(function* () {
        yield* setTime(START)
        const server = yield* keyServer(published[3]!.map(publicJwk))
        const authority = yield* Oidc.authority({
          jwks: server.url,
          issuer: ISS,
          audience: AUD,
          timeout: "1 minutes",
          refreshEvery: "1 days",
          keepFor: "90 minutes"
        }).pipe(Effect.provide(FetchHttpClient.layer))
        const authenticator = yield* Effect.fromResult(Authorities.combine([authority]))
        const credentialOf = credentialsOfTexts()
        yield* authenticator.authenticate(credentialOf(tokens[0]!))
        for (const [step, presented, damagedAt] of history) {
          yield* TestClock.setTime(START + step.at)
          vi.setSystemTime(Date.now() + step.keysAge)
          server.answer = step.isDown ? down : good
          if (step.published !== SAME) server.publish = published[step.published]!.map(publicJwk)
          for (const token of presented.map((i) => tokens[i]!)) {
            for (const one of damagedAt === NOWHERE ? [token] : [token, damaged(token, damagedAt)]) {
              // The cached one goes first: if it has to load keys, the other one, which is always verified, finds them.
              const answered = yield* outcome(authenticator, credentialOf(one))
              assert.deepStrictEqual(answered, yield* outcome(authenticator, Redacted.make(one)))
            }
          }
        }
      }),
    { ...RUNS, timeout: 600_000 + 500 * RUNS.arbitrary.runs }
  )
})
