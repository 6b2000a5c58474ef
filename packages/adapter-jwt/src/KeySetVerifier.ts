/** Verifies tokens with the published keys of an issuer. */
import type { AuthenticatorUnavailable } from "@sojourn/core"
import { NotAuthenticated } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { Payload } from "./ClaimPath.ts"
import * as KeySet from "./KeySet.ts"
import type { UnverifiedToken } from "./UnverifiedToken.ts"
import * as PublicKeys from "./PublicKeys.ts"
import * as TokenChecks from "./TokenChecks.ts"

/** The payload of a verified token, and whether it would still be verified at `now` (milliseconds) with the current keys. */
export interface VerifiedToken {
  readonly payload: Payload
  readonly holds: (now: number) => boolean
}

/** Verifies a token and returns its claims. */
export interface Verifier {
  (presented: UnverifiedToken): Effect.Effect<VerifiedToken, NotAuthenticated | AuthenticatorUnavailable>
}

const WHICH_KEY = new NotAuthenticated({ reason: "the token does not say which key signed it" })

/**
 * Makes a verifier that uses an issuer's published keys.
 *
 * An otherwise plausible token with an unknown key triggers one more load before it is refused, because an issuer may sign
 * with a new key as soon as it is published. {@link KeySet.KeySet} limits these loads.
 */
export const make = Effect.fnUntraced(function* (
  checks: TokenChecks.Checks,
  options: KeySet.Options
): Effect.fn.Return<Verifier, never, HttpClient.HttpClient | Scope.Scope> {
  const keySet = yield* KeySet.make(options)
  const algorithms = new Set(checks.algorithms)
  const verify = TokenChecks.verifier(checks)

  /** The current keys, or newer ones if they have no key for the token. */
  const keysFor = Effect.fnUntraced(function* (presented: UnverifiedToken) {
    const { alg, kid } = presented
    const isThere = (keys: PublicKeys.PublicKeys) => PublicKeys.find(keys, alg, kid) !== undefined
    const keys = yield* keySet.current
    if (isThere(keys) || !TokenChecks.isPlausible(presented, checks, yield* Clock.currentTimeMillis)) return keys
    return yield* keySet.having(`${alg} ${kid ?? ""}`, isThere)
  })

  return Effect.fnUntraced(function* (presented) {
    const { alg, kid } = presented
    if (!algorithms.has(alg)) return yield* TokenChecks.wrongAlgorithm
    const keys = yield* keysFor(presented)
    const key = PublicKeys.find(keys, alg, kid)
    if (key === undefined) return yield* TokenChecks.unknownKey
    if (key === "several") return yield* WHICH_KEY
    const { payload, isTimely } = yield* verify(presented, key)
    // The same key set gives the same key for the same token.
    return { payload, holds: (now) => isTimely(now) && keySet.isCurrent(keys, now) }
  })
})
