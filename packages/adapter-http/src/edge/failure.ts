import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { isHttpServerError } from "effect/http/HttpServerError"

/** What failed because of the client or its connection is no failure of ours. */
const isOurs = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterruptsOnly(cause) &&
  !cause.reasons.some((reason) => {
    const failure = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isHttpServerError(failure) && failure.reason._tag === "RequestParseError"
  })

/** Says in the log what is our own failure. */
export const logFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  isOurs(cause) ? Effect.logError("request failed", cause) : Effect.void
