import { RequestLimits } from "@sojourn/adapter-http"
import { layerRateLimitStore } from "@sojourn/adapter-memory"
import { Effect, Layer, Metric, Schedule } from "effect"
import { StartupError, Storage } from "@sojourn/service"
import { layerRateLimits, type RateLimits } from "./RateLimits.ts"

/** Where servers that share limits count each other: nowhere, or in the database. Usage itself is always in memory. */
export const RATE_LIMIT_SHARING = ["memory", "postgres"] as const

/** The value of `--rate-limit-store`. */
export type RateLimitSharing = (typeof RATE_LIMIT_SHARING)[number]

/** How often a server counts the servers that share its limits. */
const COUNT_INTERVAL = "2 seconds"

const failures = Metric.counter("sojourn_rate_limit_failures_total", {
  description: "Times that the servers that share the rate limits could not be counted",
  incremental: true
})

/**
 * The number of servers that share the limits of this storage, counted before the first request and then at a fixed interval.
 * While the database is unavailable the last number is kept.
 */
const sharing = Effect.gen(function* () {
  const { countRateLimitServers } = yield* Storage
  if (countRateLimitServers === undefined) {
    return yield* new StartupError({ message: "--rate-limit-store postgres needs --storage embedded or postgres" })
  }
  let servers = 1
  const count = Effect.matchEffect(yield* countRateLimitServers, {
    onFailure: () => Metric.update(failures, 1),
    onSuccess: (counted) => Effect.sync(() => void (servers = counted))
  })
  yield* count
  yield* Effect.forkScoped(Effect.repeat(count, Schedule.spaced(COUNT_INTERVAL)))
  return () => servers
})

/**
 * The rate limits of a server, of which each of its processes grants its part. Those that are not set cost nothing; the trusted proxies
 * count for sign-ins as well.
 */
export const layerLimits = (limits: RateLimits, sharedIn: RateLimitSharing, processes = 1) => {
  if (limits.caller === undefined && limits.network === undefined) {
    return Layer.succeed(RequestLimits, { trustedProxies: limits.trustedProxies })
  }
  const layer =
    sharedIn === "memory"
      ? layerRateLimits(limits, () => processes)
      : Layer.unwrap(Effect.map(sharing, (servers) => layerRateLimits(limits, servers)))
  return Layer.provide(layer, layerRateLimitStore)
}
