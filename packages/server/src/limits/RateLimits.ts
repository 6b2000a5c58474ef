import { RequestLimits, type Spend } from "@sojourn/adapter-http"
import { type Allowance, AllowanceStore, type Caller, shareOf } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How much may be asked of a server. What is left out is not limited. */
export interface RateLimits {
  /** What each caller may ask who proves who they are. */
  readonly caller?: Allowance | undefined
  /** How often those may ask who prove nothing, from each network. */
  readonly network?: Allowance | undefined
  /** How many proxies stand before the server that say in `X-Forwarded-For` whom they were called by. */
  readonly trustedProxies: number
}

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
 * Limits requests by what was spent of allowances on this server.
 *
 * @param servers how many servers share the limits now: each grants its part of them.
 */
export const layerRateLimits = (
  { caller, network, trustedProxies }: RateLimits,
  servers: () => number = () => 1
): Layer.Layer<never, never, AllowanceStore> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* AllowanceStore
      const spending =
        <Whose>(allowance: Allowance, name: (whose: Whose) => string): Spend<Whose> =>
        (whose) =>
          store.spend(name(whose), shareOf(allowance, servers()))
      return Context.make(RequestLimits, {
        caller: caller && spending(caller, nameOf),
        network: network && spending(network, (address: string) => `network ${address}`),
        trustedProxies
      }) as Context.Context<never>
    })
  )
