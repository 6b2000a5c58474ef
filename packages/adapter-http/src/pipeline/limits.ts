/** The rate limits of callers and networks. The server provides and counts them. */
import type { AnyCaller } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TooManyRequests } from "../api/shared/refusals.ts"
import { clientNetwork } from "./clientAddress.ts"
import { countLimited } from "./requestMetrics.ts"
import { type Consumed, setRateLimit } from "./rateLimitFields.ts"
import { setRetryAfter } from "./retryAfter.ts"
import type { RequestHead } from "./requestHead.ts"

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
