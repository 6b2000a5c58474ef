import type { Caller } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TooManyRequests } from "../api/refusals.ts"
import { clientNetwork } from "./clientAddress.ts"
import { countLimited } from "./requestMetrics.ts"
import { sayRetryAfter } from "./retryAfter.ts"
import type { RequestHead } from "./requestHead.ts"

/** Spends one request of an allowance: 0 when it is granted, else after how many milliseconds it is worth to ask again. */
export type Spend<Whose> = (whose: Whose) => Effect.Effect<number>

/** How much callers may ask. What is left out is not limited. */
export interface RequestLimits {
  /** What a caller may ask who proved who they are. */
  readonly caller?: Spend<Caller> | undefined
  /** How often those may ask who prove nothing, from one network. */
  readonly network?: Spend<string> | undefined
  /** How many proxies stand before the server that say whom they were called by. */
  readonly trustedProxies?: number | undefined
}

/** The limits of a server; none, unless whoever composes it provides some. */
export const RequestLimits = Context.Reference<RequestLimits>("@sojourn/adapter-http/RequestLimits", {
  defaultValue: () => ({})
})

const granted = (
  wait: number,
  request: RequestHead,
  by: "caller" | "address"
): Effect.Effect<void, TooManyRequests> => {
  if (wait === 0) return Effect.void
  countLimited(by)
  sayRetryAfter(request, wait)
  return Effect.fail(new TooManyRequests({ detail: "You ask too often: try again later." }))
}

/** Refuses a caller who has used up what they may ask. */
export const limitCaller =
  ({ caller: spend }: RequestLimits) =>
  (caller: Caller, request: RequestHead): Effect.Effect<void, TooManyRequests> =>
    spend === undefined ? Effect.void : Effect.flatMapEager(spend(caller), (wait) => granted(wait, request, "caller"))

/** Refuses a request that proves nobody, from a network of which too many of these came. */
export const limitNetwork =
  ({ network: spend, trustedProxies = 0 }: RequestLimits) =>
  (request: RequestHead): Effect.Effect<void, TooManyRequests> =>
    spend === undefined
      ? Effect.void
      : Effect.flatMapEager(spend(clientNetwork(request, trustedProxies)), (wait) => granted(wait, request, "address"))
