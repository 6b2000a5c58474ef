/** Caches the callers of verified tokens, so that a signature is verified once and not with each request. */
import { Authenticator } from "@sojourn/core"
import type { AuthenticatorUnavailable, Caller, NotAuthenticated } from "@sojourn/core"
import { Clock, Effect, Redacted, Result } from "effect"
import { InvalidOptions } from "./InvalidOptions.ts"
import { countLookup } from "./metrics.ts"
import * as TwoGenerationCache from "./TwoGenerationCache.ts"

/** The caller of a verified token, and how long the verification stays valid. */
export interface VerifiedCaller {
  readonly caller: Caller
  /**
   * Whether a verification at `now`, in milliseconds, would give the same caller without loading keys. A token's text and the
   * configuration do not change, so this depends on the time and on the current keys only.
   */
  readonly holds: (now: number) => boolean
}

/** Bounds of the cache: the number of verified tokens, and of their characters together. 0 disables it. */
export interface Options {
  readonly tokens?: number | undefined
  readonly characters?: number | undefined
}

/** The default bounds: 10,000 tokens, of 8 MiB together. */
export const DEFAULT = { tokens: 10_000, characters: 8 * 1024 * 1024 }

/** The interval between removals of tokens that no longer hold, in milliseconds. */
const SWEEP_INTERVAL_MS = 60_000

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0

/**
 * Makes an authenticator that verifies a token once and caches its {@link VerifiedCaller} for as long as it holds.
 *
 * - The key is the whole token: one that differs in a character is verified.
 * - `holds` is checked on every hit, by Effect's clock. When it is false, the token is verified again. So a hit gives what a
 *   verification would give now.
 * - Refusals are not cached: forged tokens use no memory and evict no entry.
 * - Tokens that no longer hold are removed within a minute, or else at the next request, because tokens hold personal data.
 *
 * Fails with `InvalidOptions` when a bound is not a whole number of 0 or more.
 */
export const make = (
  verify: (
    credentials: Redacted.Redacted<string>
  ) => Effect.Effect<VerifiedCaller, NotAuthenticated | AuthenticatorUnavailable>,
  options: Options = {}
): Result.Result<Authenticator["Service"], InvalidOptions> => {
  const { tokens = DEFAULT.tokens, characters = DEFAULT.characters } = options
  if (!isCount(tokens) || !isCount(characters)) {
    return Result.fail(new InvalidOptions({ reason: "tokenCache must have whole numbers of 0 or more" }))
  }
  // Only this closure reaches the tokens, so printing the authenticator does not print them.
  const cache = TwoGenerationCache.make<VerifiedCaller>({ keys: tokens, characters })
  let sweptAt = -Infinity
  const sweep = (now: number) => {
    sweptAt = now
    cache.retain((verified) => verified.holds(now))
  }
  return Result.succeed(
    Authenticator.of({
      authenticate: (credentials) =>
        Effect.withFiber((fiber) => {
          const token = Redacted.value(credentials)
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          if (Math.abs(now - sweptAt) >= SWEEP_INTERVAL_MS) sweep(now)
          const known = cache.get(token)
          const isHit = known?.holds(now) === true
          countLookup(isHit)
          if (isHit) return Effect.succeed(known.caller)
          return Effect.map(verify(credentials), (verified) => {
            cache.set(token, verified)
            return verified.caller
          })
        })
    })
  )
}
