import { type Consume, RequestLimits } from "@sojourn/adapter-http"
import { nameOfCaller, type RateLimit, RateLimitStore, shareOf } from "@sojourn/core"
import { Context, Effect, Layer } from "effect"

/** The rate limits of a server. What is left out is not limited. */
export interface RateLimits {
  /** The limit of each authenticated caller. */
  readonly caller?: RateLimit | undefined
  /** The limit of unauthenticated requests from each network. */
  readonly network?: RateLimit | undefined
  /** How many trusted proxies append to `X-Forwarded-For`. */
  readonly trustedProxies: number
}

/**
 * Applies the rate limits of this server to requests.
 *
 * @param servers how many servers share the limits now: each grants its part of them.
 */
export const layerRateLimits = (
  { caller, network, trustedProxies }: RateLimits,
  servers: () => number = () => 1
): Layer.Layer<never, never, RateLimitStore> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const consuming =
        <Whose>(limit: RateLimit, name: (whose: Whose) => string): Consume<Whose> =>
        (whose) =>
          Effect.clockWith((clock) => {
            const share = shareOf(limit, servers())
            return Effect.mapEager(store.consume(name(whose), share), ({ usage, wait }) => ({
              wait,
              limit,
              remaining: Math.max(0, share.most - usage.used),
              endsIn: usage.endsAt - clock.currentTimeMillisUnsafe()
            }))
          })
      return Context.make(RequestLimits, {
        caller: caller && consuming(caller, nameOfCaller),
        network: network && consuming(network, (address: string) => `network ${address}`),
        trustedProxies
      }) as Context.Context<never>
    })
  )
