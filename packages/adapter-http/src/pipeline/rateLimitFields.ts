/** The fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) of answers to limited requests. */
import type { RateLimit } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { CurrentRequest } from "./failure.ts"

/** The outcome of one request of a limit. Times are in milliseconds. */
export interface Consumed {
  /** 0 when the request is granted, else how long it takes until a retry can succeed. */
  readonly wait: number
  readonly limit: RateLimit
  /** How many requests are left in the current window, which ends in `endsIn`. */
  readonly remaining: number
  readonly endsIn: number
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

/** Sets how much of a limit is left, for the answer to the current request. */
export const setRateLimit = (name: string, { limit, remaining, endsIn }: Consumed): Effect.Effect<void> =>
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
