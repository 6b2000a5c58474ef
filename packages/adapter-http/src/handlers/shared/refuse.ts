/** Maps refusals of the core to statuses, and reports to the operator those that the server causes. */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import { type CoreRefusal, problemOf, PROBLEMS } from "../../api/shared/problems.ts"
import {
  BadGateway,
  BadRequest,
  Conflict,
  Forbidden,
  GatewayTimeout,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "../../api/shared/refusals.ts"
import { errorOf, noteFailure } from "../../pipeline/requestNotes.ts"
import { countOverload } from "../../pipeline/overload.ts"
import { countLimited } from "../../pipeline/requestMetrics.ts"
import { setRetryAfter } from "../../pipeline/requestNotes.ts"

/** The classes of the statuses that the core's refusals have. */
const CLASSES = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: TooManyRequests,
  502: BadGateway,
  503: ServiceUnavailable,
  504: GatewayTimeout
}

const storeFailures = Metric.counter("sojourn_store_failures_total", {
  description: "Operations that the storage did not do; what was refused for overload is counted apart",
  incremental: true
})

/** Registers the counter of store failures: a server whose storage never failed shows 0. */
export const registerStoreFailures = (): void => void storeFailures.valueUnsafe(Context.empty())

/** Reports the refusals that the server causes, and not the client, to the operator. */
const report = (failure: CoreRefusal): Effect.Effect<void> => {
  switch (failure._tag) {
    case "StoreError":
      return failure.isOverload === true
        ? Effect.sync(() => countOverload(failure.operation))
        : Effect.andThen(
            Metric.update(storeFailures, 1),
            noteFailure({ message: `store failed: ${failure.operation}`, cause: failure.cause })
          )
    case "PasswordsBusy":
      return Effect.sync(() => countOverload("hash a password"))
    case "DirectoriesBusy":
      return Effect.sync(() => countOverload("ask a directory"))
    case "DirectoryUnreachable":
      return noteFailure({ message: `authentication server cannot be reached: ${failure.reason}` })
    case "DirectoryTimeout":
      return noteFailure({ message: "authentication server does not answer in time" })
    case "SignInDelayed":
      return Effect.andThen(
        Effect.sync(() => countLimited("username")),
        setRetryAfter(failure.wait)
      )
    case "WebhookTestWaiting":
      return setRetryAfter(2_000)
    case "TooManyDirectoryQuestions":
      // The caller has to wait for an answer of its own, and not for the end of a window.
      return setRetryAfter(1_000)
    default:
      return Effect.void
  }
}

type Tag = CoreRefusal["_tag"]
type StatusOf<T extends Tag> = InstanceType<(typeof CLASSES)[(typeof PROBLEMS)[T][0]]>
type RefusalClass = new (props: ReturnType<typeof problemOf>) => StatusOf<Tag>
type Refused<F extends CoreRefusal, O> = F["_tag"] extends infer T
  ? T extends keyof O
    ? O[T] extends new (props: never) => infer I
      ? I
      : never
    : T extends Tag
      ? StatusOf<T>
      : never
  : never

/**
 * Turns the core's refusals into the statuses of an endpoint: those of the table, or the `exceptions` that the specification makes
 * for it. An endpoint that does not declare one of them does not compile.
 */
export const refuse = <const O extends { readonly [T in Tag]?: RefusalClass } = {}>(exceptions?: O) => {
  // One function for all refusals: every movement passes here, and keeps what is allocated for it until its answer is written.
  const refuseCause = <F extends CoreRefusal>(cause: Cause.Cause<F>): Effect.Effect<never, Refused<F, O>> => {
    const found = errorOf(cause)
    if (Result.isFailure(found)) return Effect.failCause(found.failure)
    const failure: CoreRefusal = found.success
    const refusal: RefusalClass = exceptions?.[failure._tag] ?? CLASSES[PROBLEMS[failure._tag][0]]
    return Effect.andThen(report(failure), Effect.fail(new refusal(problemOf(failure._tag, failure)) as Refused<F, O>))
  }
  return <A, F extends CoreRefusal, R>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, Refused<F, O>, R> =>
    Effect.catchCause(effect, refuseCause<F>)
}
