/** The rate limits of callers and networks. The server provides and counts them. */
import type { AnyCaller, RateLimit } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TooManyRequests } from "../api/shared/refusals.ts"
import { clientNetwork, type RequestHead } from "./requestHead.ts"
import { countLimited } from "./requestMetrics.ts"
import { CurrentRequest, setRetryAfter } from "./requestNotes.ts"

/** The outcome of one request of a limit. Times are in milliseconds. */
export interface Consumed {
  /** 0 when the request is granted, else how long it takes until a retry can succeed. */
  readonly wait: number
  readonly limit: RateLimit
  /** How many requests are left in the current window, which ends in `endsIn`. */
  readonly remaining: number
  readonly endsIn: number
}

/** Consumes one request of a limit. */
export type Consume<Key> = (key: Key) => Effect.Effect<Consumed>

/** The rate limits of requests. A limit that is left out does not apply. */
export interface RequestLimits {
  /** The limit of each authenticated caller. */
  readonly caller?: Consume<AnyCaller> | undefined
  /** The limit of unauthenticated requests from one network. */
  readonly network?: Consume<string> | undefined
  /** How many proxies in front of the server append to `X-Forwarded-For`. */
  readonly trustedProxies?: number | undefined
}

/** The rate limits of a server; none by default. */
export const RequestLimits = Context.Reference<RequestLimits>("@sojourn/adapter-http/RequestLimits", {
  defaultValue: () => ({})
})

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

/**
 * Sets how much of a limit is left in the fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) of the
 * answer to the current request.
 */
const setRateLimit = (name: string, { limit, remaining, endsIn }: Consumed): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const current = fiber.getRef(CurrentRequest)
    if (current !== undefined) {
      current.rateLimit = {
        ratelimit: `"${name}";r=${remaining};t=${seconds(endsIn)}`,
        "ratelimit-policy": `"${name}";q=${limit.most};w=${seconds(limit.window)}`
      }
    }
    return Effect.void
  })

const granted = (consumed: Consumed, by: "caller" | "address"): Effect.Effect<void, TooManyRequests> => {
  const { wait } = consumed
  const noted = setRateLimit(by, consumed)
  if (wait === 0) return noted
  countLimited(by)
  return Effect.andThen(
    Effect.andThen(noted, setRetryAfter(wait)),
    Effect.fail(new TooManyRequests({ detail: "You ask too often: try again later." }))
  )
}

/** Refuses a caller above its limit. */
export const limitCaller =
  ({ caller: consume }: RequestLimits) =>
  (caller: AnyCaller): Effect.Effect<void, TooManyRequests> =>
    consume === undefined
      ? Effect.void
      : Effect.flatMapEager(consume(caller), (consumed) => granted(consumed, "caller"))

/** Refuses an unauthenticated request from a network above its limit. */
export const limitNetwork =
  ({ network: consume, trustedProxies = 0 }: RequestLimits) =>
  (request: RequestHead): Effect.Effect<void, TooManyRequests> =>
    consume === undefined
      ? Effect.void
      : Effect.flatMapEager(consume(clientNetwork(request, trustedProxies)), (consumed) => granted(consumed, "address"))
