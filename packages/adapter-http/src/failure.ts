import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isHttpServerError } from "effect/http/HttpServerError"
import * as Result from "effect/Result"

/** Why a request fails by the server's fault, for the operator's eyes: no identifier of anybody, and no token. */
export interface Failure {
  readonly message: string
  /** What is known beside it: often a `Cause`. */
  readonly cause?: unknown
}

/** Where the request that is being answered keeps why it fails; there is none outside of requests. */
export const NotedFailure: Context.Reference<{ failure?: Failure | undefined } | undefined> = Context.Reference(
  "@sojourn/adapter-http/NotedFailure",
  { defaultValue: (): { failure?: Failure | undefined } | undefined => undefined }
)

/** Notes why the request that is being answered fails, to be told with its answer. The first reason counts. */
export const noteFailure = (failure: Failure): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const noted = fiber.getRef(NotedFailure)
    if (noted === undefined) return logFailure(failure)
    noted.failure ??= failure
    return Effect.void
  })

/** Says in Effect's log why a request failed. */
export const logFailure = ({ message, cause }: Failure): Effect.Effect<void> =>
  cause === undefined ? Effect.logError(message) : Effect.logError(message, cause)

/** What failed because of the client or its connection is no failure of ours. */
const isOurs = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterruptsOnly(cause) &&
  !cause.reasons.some((reason) => {
    const failure = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isHttpServerError(failure) && failure.reason._tag === "RequestParseError"
  })

/** The error of a cause, unless something broke as well: then what broke is what matters, as everywhere in Effect. */
export const errorOf = <E>(cause: Cause.Cause<E>): Result.Result<E, Cause.Cause<never>> =>
  Cause.hasDies(cause)
    ? Result.fail(Cause.fromReasons(cause.reasons.filter((reason) => !Cause.isFailReason(reason))))
    : Cause.findError(cause)

/** The failure that an unexpected end of a request is, unless it is the client's. */
export const failureOf = (cause: Cause.Cause<unknown>): Failure | undefined =>
  isOurs(cause) ? { message: "request failed", cause } : undefined
