import { RequestLimits } from "@sojourn/adapter-http"
import { layerAllowances as layerMemory } from "@sojourn/adapter-memory"
import { AllowanceStore, type ExitTokenKey } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CommandFailed } from "../CommandFailed.ts"
import { Storage } from "../storage/Storage.ts"
import { layerRateLimits, type RateLimits } from "./RateLimits.ts"

/** Where it is kept what was spent. */
export const RATE_LIMIT_STORES = ["memory", "postgres"] as const

export type RateLimitStore = (typeof RATE_LIMIT_STORES)[number]

/** In the database of the storage, for all servers that use it. */
const layerShared = Layer.effect(
  AllowanceStore,
  Effect.flatMap(
    Storage,
    ({ sharedAllowances }) =>
      sharedAllowances ??
      Effect.fail(new CommandFailed({ message: "--rate-limit-store postgres needs --storage embedded or postgres" }))
  )
)

/** The limits of a server. Those that are not asked for cost nothing; where requests come from is told to sign-ins as well. */
export const layerLimits = (limits: RateLimits, store: RateLimitStore, keys: ReadonlyArray<ExitTokenKey>) =>
  limits.caller === undefined && limits.network === undefined
    ? Layer.succeed(RequestLimits, { trustedProxies: limits.trustedProxies })
    : layerRateLimits(limits, keys).pipe(Layer.provide(store === "memory" ? layerMemory : layerShared))
