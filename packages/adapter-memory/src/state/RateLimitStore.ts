import { consume, RateLimitStore, type RateLimitUsage } from "@sojourn/core"
import { Effect, Layer } from "effect"

/** The number of names always kept, and half the number kept at most. */
const GENERATION = 50_000

/**
 * Usage of rate limits in memory, for one server. It keeps the 50,000 names used last and at most as many others. A name that
 * was dropped begins a new window.
 */
export const layerRateLimitStore: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
  let young = new Map<string, RateLimitUsage>()
  let old = new Map<string, RateLimitUsage>()
  return {
    consume: (name, limit) =>
      Effect.clockWith((clock) => {
        const decision = consume(limit, young.get(name) ?? old.get(name), clock.currentTimeMillisUnsafe())
        if (young.size >= GENERATION && !young.has(name)) {
          old = young
          young = new Map()
        }
        young.set(name, decision.usage)
        return Effect.succeed(decision)
      })
  }
})
