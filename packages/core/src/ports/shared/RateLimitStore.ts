import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RateLimit, RateLimitDecision } from "../../domain/shared/RateLimit.ts"

/**
 * Keeps the usage of rate limits by the names of callers (spec: http#rate-limit).
 *
 * - A name is always used with the same window. Its `most` may change with the number of servers.
 * - Usage is needed for one window only. A store may forget it earlier, when the process ends or it has too many names. It
 *   never invents usage.
 * - Usage is kept in memory only. A store that wrote names with each request or interval would record when a caller was
 *   present, which identifies the people of anonymous stays of the same moment.
 */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /**
     * Applies the rule `consume` to the usage of a name, and keeps the new usage.
     * Concurrent requests are never granted more than the limit together.
     * Law: `limits/RateLimitStore.ts` "grants 100 concurrent requests up to the limit".
     */
    readonly consume: (name: string, limit: RateLimit) => Effect.Effect<RateLimitDecision>
  }
>()("@sojourn/core/RateLimitStore") {}
