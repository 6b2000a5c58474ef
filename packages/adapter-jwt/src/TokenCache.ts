/** Caches the callers of verified tokens, so that a signature is verified once and not with each request. */
import {
  Authenticator,
  AuthenticatorUnavailable,
  type Caller,
  NotAuthenticated,
  NOTHING_REVOKED,
  type RevokedTokens
} from "@sojourn/core"
import { Clock, Context, Effect, Metric, type Redacted } from "effect"

// Asked for every request: each result is a metric of its own, which knows its series.
const lookups = (result: "hit" | "miss") =>
  Metric.counter("sojourn_token_cache_lookups_total", {
    description: "Tokens that were known from before (hit), and those that were to be verified (miss)",
    attributes: { result },
    incremental: true
  })
const [hits, misses] = [lookups("hit"), lookups("miss")]

// What never happened is known to be nothing, and not missing.
for (const result of [hits, misses]) result.valueUnsafe(Context.empty())

/** The caller of a verified token, and how long the verification stays valid. */
export interface VerifiedCaller {
  readonly caller: Caller
  /** The claim `iat`, in seconds; undefined where the token has none. */
  readonly issuedAt: number | undefined
  /**
   * Whether a verification at `now`, in milliseconds, would give the same caller without loading keys. A token's text and the
   * configuration do not change, so this depends on the time and on the current keys only.
   */
  readonly holds: (now: number) => boolean
}

/** A cached caller, and the version of the revocations by which the token was not revoked. */
interface CachedCaller extends VerifiedCaller {
  notRevokedAt: number
}

const REVOKED = new NotAuthenticated({ reason: "the token was revoked" })
const REVOCATIONS_UNKNOWN = new AuthenticatorUnavailable({ reason: "the revocations of tokens were not read yet" })

/**
 * Makes an authenticator that verifies a token once, and caches its {@link VerifiedCaller} as long as the token's `Redacted` is in memory.
 *
 * - The key is the object: one with the same text is verified. The caller who gives the same object for the same text bounds the cache.
 * - `holds` is checked on every hit, by Effect's clock. When it is false, the token is verified again. So a hit gives what a
 *   verification would give now.
 * - A hit is checked for a revocation once for each version of `revoked`.
 * - Refusals are not cached.
 */
export const make = (
  verify: (
    credentials: Redacted.Redacted<string>
  ) => Effect.Effect<VerifiedCaller, NotAuthenticated | AuthenticatorUnavailable>,
  revoked: RevokedTokens = NOTHING_REVOKED
): Authenticator["Service"] => {
  const callers = new WeakMap<Redacted.Redacted<string>, CachedCaller>()
  const unlessRevoked = (known: CachedCaller): Effect.Effect<Caller, NotAuthenticated | AuthenticatorUnavailable> => {
    const version = revoked.version()
    if (version === 0) return Effect.fail(REVOCATIONS_UNKNOWN)
    if (known.notRevokedAt !== version) {
      if (revoked.isRevoked(known.caller, known.issuedAt)) return Effect.fail(REVOKED)
      known.notRevokedAt = version
    }
    return Effect.succeed(known.caller)
  }
  return Authenticator.of({
    authenticate: (credentials) =>
      Effect.withFiber((fiber) => {
        const known = callers.get(credentials)
        const isHit = known?.holds(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()) === true
        const counted = isHit ? hits : misses
        counted.updateUnsafe(1, Context.empty())
        if (isHit) return unlessRevoked(known)
        return Effect.flatMap(verify(credentials), (verified) => {
          const cached = { ...verified, notRevokedAt: 0 }
          callers.set(credentials, cached)
          return unlessRevoked(cached)
        })
      })
  })
}
