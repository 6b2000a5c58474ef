import { RequestLimits, type Spend } from "@sojourn/adapter-http"
import { type Allowance, AllowanceStore, type Caller, type ExitTokenKey } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { makePseudonyms } from "./Pseudonyms.ts"

/** How much may be asked of a server. What is left out is not limited. */
export interface RateLimits {
  /** What each caller may ask who proves who they are. */
  readonly caller?: Allowance | undefined
  /** How often those may ask who prove nothing, from each network. */
  readonly network?: Allowance | undefined
  /** How many proxies stand before the server that say in `X-Forwarded-For` whom they were called by. */
  readonly trustedProxies: number
}

const failures = Metric.counter("sojourn_rate_limit_failures_total", {
  description: "Requests that were not limited, as what was spent could not be found out",
  incremental: true
})

const nameOf = (caller: Caller): string => {
  switch (caller._tag) {
    case "User":
      return `user ${caller.userId}`
    case "Administrator":
      return `administrator ${caller.administratorId}`
    case "Operator":
      return `operator ${caller.operatorId}`
  }
}

/**
 * Limits requests by what was spent of allowances. Names are pseudonyms under a key of the exit tokens, which all servers of a
 * service share, so that what is stored does not tell who asks. Where it cannot be found out what was spent nobody is refused: a
 * limit protects the service, and must not be what ends it.
 */
export const layerRateLimits = (
  { caller, network, trustedProxies }: RateLimits,
  keys: ReadonlyArray<ExitTokenKey>
): Layer.Layer<never, never, AllowanceStore> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* AllowanceStore
      const pseudonymOf = makePseudonyms(keys)
      const spending =
        <Whose>(allowance: Allowance, name: (whose: Whose) => string): Spend<Whose> =>
        (whose) =>
          Effect.catchEager(store.spend(pseudonymOf(name(whose)), allowance), () =>
            Effect.as(Metric.update(failures, 1), 0)
          )
      return Context.make(RequestLimits, {
        caller: caller && spending(caller, nameOf),
        network: network && spending(network, (address: string) => `network ${address}`),
        trustedProxies
      }) as Context.Context<never>
    })
  )
