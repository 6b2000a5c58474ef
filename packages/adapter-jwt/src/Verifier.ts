import type { AuthenticatorUnavailable } from "@sojourn/core"
import { NotAuthenticated } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { Payload } from "./ClaimPath.ts"
import * as KeySet from "./KeySet.ts"
import type { Presented } from "./Presented.ts"
import * as PublicKeys from "./PublicKeys.ts"
import * as Token from "./Token.ts"

/** The claims of a verified token, and whether it would be verified again at a time, in milliseconds, by the keys there. */
export interface Verified {
  readonly payload: Payload
  readonly holds: (now: number) => boolean
}

/** From a token to its claims, which are proven then, before anybody reads a caller out of it. */
export interface Verifier {
  (presented: Presented): Effect.Effect<Verified, NotAuthenticated | AuthenticatorUnavailable>
}

const WHICH_KEY = new NotAuthenticated({ reason: "the token does not say which key signed it" })

/**
 * Verifies tokens with an issuer's published keys.
 *
 * A token whose key is not known, and that would be right otherwise, asks for the keys once more before it is refused:
 * issuers may sign with a new key as soon as they have published it. {@link KeySet.KeySet} bounds how often that happens.
 */
export const make = Effect.fnUntraced(function* (
  checks: Token.Checks,
  options: KeySet.Options
): Effect.fn.Return<Verifier, never, HttpClient.HttpClient | Scope.Scope> {
  const keySet = yield* KeySet.make(options)
  const algorithms = new Set(checks.algorithms)
  const verify = Token.verifier(checks)

  /** The keys there, or newer ones where those have none for the token. */
  const keysFor = Effect.fnUntraced(function* (presented: Presented) {
    const { alg, kid } = presented
    const isThere = (keys: PublicKeys.PublicKeys) => PublicKeys.find(keys, alg, kid) !== undefined
    const keys = yield* keySet.current
    if (isThere(keys) || !Token.isPlausible(presented, checks, yield* Clock.currentTimeMillis)) return keys
    return yield* keySet.having(`${alg} ${kid ?? ""}`, isThere)
  })

  return Effect.fnUntraced(function* (presented) {
    const { alg, kid } = presented
    if (!algorithms.has(alg)) return yield* Token.wrongAlgorithm
    const keys = yield* keysFor(presented)
    const key = PublicKeys.find(keys, alg, kid)
    if (key === undefined) return yield* Token.unknownKey
    if (key === "several") return yield* WHICH_KEY
    const { payload, isTimely } = yield* verify(presented, key)
    // The same keys have the same one for the same token.
    return { payload, holds: (now) => isTimely(now) && keySet.isCurrent(keys, now) }
  })
})
