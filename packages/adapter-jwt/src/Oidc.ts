import type { Authenticator } from "@sojourn/core"
import { Effect, Layer, type Scope } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Authorities from "./Authorities.ts"
import * as Claims from "./Claims.ts"
import type { InvalidOptions } from "./InvalidOptions.ts"
import * as Settings from "./Settings.ts"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as TokenChecks from "./TokenChecks.ts"

export type { Options } from "./Settings.ts"
export { InvalidOptions } from "./InvalidOptions.ts"
export { ALL as ALGORITHMS, type Algorithm, DEFAULT as DEFAULT_ALGORITHMS } from "./Algorithms.ts"

/**
 * An OpenID Connect issuer as an authority: its tokens are verified with its published keys (spec: accounts#algorithms).
 *
 * - A token needs a signature by one of these keys, the issuer, one of the audiences, an expiry in the future,
 *   and what {@link Claims.toCaller} requires. A token without `kid` is accepted when exactly one key can have signed it.
 * - The header's `jku`, `x5u`, `x5c` and `jwk` are ignored, and a token with `crit` is refused.
 * - An unknown `kid` triggers a load of the keys before the token is refused, within limits.
 * - It fails with `AuthenticatorUnavailable` before the first load, and in an outage longer than `keepFor`.
 *
 * It starts at once, even when the issuer is down. Its `HttpClient` must not follow redirects itself; `FetchHttpClient` is
 * configured not to. Fails with `InvalidOptions`.
 */
export const authority = Effect.fnUntraced(function* (
  options: Settings.Options
): Effect.fn.Return<Authorities.Authority, InvalidOptions, HttpClient.HttpClient | Scope.Scope> {
  const { checks, keySet, claimRules, subjectPrefix } = yield* Effect.fromResult(Settings.fromOptions(options))
  const keys = yield* IssuerKeys.make(keySet)
  const verify = TokenChecks.verifier(checks, keys.find)
  return {
    issuer: checks.issuer,
    audience: checks.audience,
    authenticate: Effect.fnUntraced(function* (presented) {
      // Before the verification, whose keys must be these.
      const unchanged = keys.unchanged()
      const { payload, issuedAt, isTimely } = yield* verify(presented)
      const caller = yield* Effect.fromResult(Claims.toCaller(payload, claimRules))
      return { caller, issuedAt, holds: (now) => isTimely(now) && unchanged() }
    }),
    ids: { kinds: claimRules.kind.kinds, prefix: subjectPrefix }
  }
})

/** Authenticates the callers of these issuers: {@link Authorities.combine} of their {@link authority}. */
export const make = (
  ...issuers: ReadonlyArray<Settings.Options>
): Effect.Effect<Authenticator["Service"], InvalidOptions, HttpClient.HttpClient | Scope.Scope> =>
  Authorities.make(issuers.map((options) => authority(options)))

/** The {@link make} of these issuers, as a layer. */
export const layer = (
  ...issuers: ReadonlyArray<Settings.Options>
): Layer.Layer<Authenticator, InvalidOptions, HttpClient.HttpClient> =>
  Authorities.layer(issuers.map((options) => authority(options)))

/** {@link layer} over the platform's `fetch`. */
export const layerFetch = (...issuers: ReadonlyArray<Settings.Options>): Layer.Layer<Authenticator, InvalidOptions> =>
  Layer.provide(layer(...issuers), FetchHttpClient.layer)

export { fromJson } from "./OptionsFromJson.ts"
export { type Facts, probe } from "./IssuerProbe.ts"
