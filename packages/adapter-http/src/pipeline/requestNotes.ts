/** What is noted of a request while it is answered: why it fails by the server's fault, and header fields that limits set. */
import * as Core from "@sojourn/core/authors"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** Why a request fails by the server's fault, for the operator. It contains no identifier of a person, and no token. */
export interface Failure {
  readonly message: string
  /** What is known beside it: often a `Cause`. */
  readonly cause?: unknown
}

/** What is noted of a request while it is answered. */
export interface RequestNotes {
  /** The platform's own request. */
  readonly source: object
  /** What the audit names the request by. */
  readonly requestId?: string
  /** Why it fails. */
  failure?: Failure | undefined
  /** Seconds until a retry can succeed, should it be refused for now. */
  retryAfter?: number | undefined
  /** How much of a rate limit is left, where one is in force. */
  rateLimit?: Readonly<Record<"ratelimit" | "ratelimit-policy", string>> | undefined
  /** What the driver calls once, when the client has the answer or is gone. */
  closed?: (() => void) | undefined
}

/** The request that is being answered; undefined outside of requests. */
export const CurrentRequest = Core.CurrentRequest as Context.Reference<RequestNotes | undefined>

/** The platform's own request that is being answered, such as Node's; undefined outside of requests. */
export const requestSource: Effect.Effect<object | undefined> = Effect.map(CurrentRequest, (current) => current?.source)

/** Notes why the request that is being answered fails, to be logged with its answer. The first reason counts. */
export const noteFailure = (failure: Failure): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const current = fiber.getRef(CurrentRequest)
    if (current === undefined) return logFailure(failure)
    current.failure ??= failure
    return Effect.void
  })

/** Logs why a request failed. */
export const logFailure = ({ message, cause }: Failure): Effect.Effect<void> =>
  cause === undefined ? Effect.logError(message) : Effect.logError(message, cause)

/** The error of a cause, unless it also has a defect, which takes precedence as everywhere in Effect. */
export const errorOf = <E>(cause: Cause.Cause<E>): Result.Result<E, Cause.Cause<never>> =>
  Cause.hasDies(cause)
    ? Result.fail(Cause.fromReasons(cause.reasons.filter((reason) => !Cause.isFailReason(reason))))
    : Cause.findError(cause)

/** The failure of a request that ends unexpectedly. An interruption is none: the client or the server ended it. */
export const failureOf = (cause: Cause.Cause<unknown>): Failure | undefined =>
  Cause.hasInterruptsOnly(cause) ? undefined : { message: "request failed", cause }

/** Sets the milliseconds after which a retry of the request that is being answered can succeed. */
export const setRetryAfter = (milliseconds: number): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const current = fiber.getRef(CurrentRequest)
    if (current !== undefined) current.retryAfter = Math.max(1, Math.ceil(milliseconds / 1000))
    return Effect.void
  })
