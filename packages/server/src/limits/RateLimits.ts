import { RequestLimits, type Spend } from "@sojourn/adapter-http"
import { type Allowance, AllowanceStore, type Caller, shareOf } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The rate limits of a server. What is left out is not limited. */
export interface RateLimits {
  /** The limit of each authenticated caller. */
  readonly caller?: Allowance | undefined
  /** The limit of unauthenticated requests from each network. */
  readonly network?: Allowance | undefined
  /** How many trusted proxies append to `X-Forwarded-For`. */
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
