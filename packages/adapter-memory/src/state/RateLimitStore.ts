import { consume, RateLimitStore, type RateLimitUsage, TwoGenerationCache } from "@sojourn/core"
import { Effect, Layer } from "effect"

/** The number of names always kept, and half the number kept at most. */
const CAPACITY = 50_000

/**
 * Usage of rate limits in memory, for one server. It keeps the 50,000 names used last and at most as many others. A name that
 * was dropped begins a new window.
 */
export const layerRateLimitStore: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
  const usages = new TwoGenerationCache<string, RateLimitUsage>(CAPACITY)
  return {
    consume: (name, limit) =>
      Effect.clockWith((clock) => {
        const decision = consume(limit, usages.get(name), clock.currentTimeMillisUnsafe())
        usages.set(name, decision.usage)
        return Effect.succeed(decision)
      })
  }
})
