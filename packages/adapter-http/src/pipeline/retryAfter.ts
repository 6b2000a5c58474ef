/** The `Retry-After` header of an answer, whose value a refusal of the request may set. */
import * as Effect from "effect/Effect"
import { CurrentRequest } from "./failure.ts"

/** Seconds until a retry by status, where the request has no value of its own. */
const DEFAULTS: { readonly [status: number]: number } = { 429: 60, 503: 1 }

/** Sets the milliseconds after which a retry of the request that is being answered can succeed. */
export const setRetryAfter = (milliseconds: number): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const current = fiber.getRef(CurrentRequest)
    if (current !== undefined) current.retryAfter = Math.max(1, Math.ceil(milliseconds / 1000))
    return Effect.void
  })

/** The `Retry-After` of an answer with this status, in whole seconds; undefined where a retry is of no use. */
export const retryAfterOf = (status: number, seconds: number | undefined): string | undefined => {
  const value = DEFAULTS[status]
  return value === undefined ? undefined : String(seconds ?? value)
}
