/** The fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) of answers to limited requests. */
import * as Effect from "effect/Effect"
import { CurrentRequest } from "./failure.ts"
import type { Consumed } from "./limits.ts"

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
