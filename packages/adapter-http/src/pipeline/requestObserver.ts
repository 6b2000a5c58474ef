import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import { CurrentLogAnnotations } from "effect/References"
import * as Tracer from "effect/Tracer"
import { CurrentRequest, logFailure, type RequestNotes } from "./failure.ts"
import { batchPerTick } from "./batchPerTick.ts"
import type { RequestHead } from "./requestHead.ts"
import { knownMethod, measureAnswer } from "./requestMetrics.ts"
import { requestIdOf } from "./requestId.ts"
import { RequestLog } from "./RequestLog.ts"
import { RequestTraces } from "./RequestTraces.ts"

/** A request that is being answered, as logs, metrics and traces know it. */
export interface RequestObservation extends RequestNotes {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly traceId: string | undefined
  readonly span: Tracer.Span | undefined
  /** When its head arrived, by `performance.now`. */
  readonly startedAtMs: number
  /** Why it was refused, as the log may say it. */
  refusal?: string | undefined
  /** The status of the answer and the milliseconds until it left; 0 before. */
  status: number
  milliseconds: number
}

/** Observes requests from their heads to their answers. */
export interface RequestObserver {
  readonly begin: (head: RequestHead, route: string, startedAtMs: number) => RequestObservation
  /** The context that a request is answered in: its log lines name the request, and its spans belong to it. */
  readonly contextFor: (observation: RequestObservation, context: Context.Context<never>) => Context.Context<never>
  /** Reports an answer that left to the log, the metrics and the trace. It cannot fail. */
  readonly answered: (observation: RequestObservation, status: number) => void
}

/** The failure of a span: the status alone, since the log has the reason. */
class RequestFailed extends Data.TaggedError("RequestFailed")<{ readonly status: number }> {}

/** The trace that the caller says the request is a part of, if it is well formed (W3C Trace Context). */
const namedTrace = ({ headers }: RequestHead): Tracer.ExternalSpan | undefined =>
  headers["traceparent"] === undefined
    ? undefined
    : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromRecordUnsafe(headers as Record<string, string>)))

/** Most servers annotate nothing else. */
const isEmpty = (annotations: Readonly<Record<string, unknown>>): boolean => {
  for (const _ in annotations) return false
  return true
}

/** Makes the observer of a server's requests. */
export const makeRequestObserver: Effect.Effect<RequestObserver> = Effect.gen(function* () {
  const log = yield* RequestLog
  const traces = yield* RequestTraces
  const services = yield* Effect.context<never>()
  const tracer = yield* Effect.tracer
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(services)

  const isSampled = (parent: Tracer.ExternalSpan | undefined): boolean => {
    if (traces === undefined) return false
    if (traces.callersDecide && parent !== undefined) return parent.sampled
    return traces.ratio > 0 && Math.random() < traces.ratio
  }

  const makeSpan = (method: string, route: string, parent: Tracer.ExternalSpan | undefined): Tracer.Span => {
    const known = knownMethod(method)
    const span = tracer.span({
      name: `${known} ${route}`,
      parent: Option.fromUndefinedOr(parent),
      annotations: Context.empty(),
      links: [],
      startTime: clock.currentTimeNanosUnsafe(),
      kind: "server",
      root: parent === undefined,
      sampled: true
    })
    span.attribute("http.request.method", known)
    span.attribute("http.route", route)
    return span
  }

  /** Reports answers together, once all of a batch have left. */
  const report = batchPerTick(
    queueMicrotask,
    (observation: RequestObservation) => {
      const { requestId, traceId, method, route, span, failure, refusal, status, milliseconds } = observation
      measureAnswer(method, route, status, milliseconds)
      if (span !== undefined) {
        span.attribute("http.response.status_code", status)
        span.end(clock.currentTimeNanosUnsafe(), status < 500 ? Exit.void : Exit.fail(new RequestFailed({ status })))
      }
      if (log !== undefined) log({ requestId, traceId, method, route, status, milliseconds, refusal, failure })
      else if (failure !== undefined) {
        run(
          Effect.annotateLogs(logFailure(failure), {
            requestId,
            ...(traceId !== undefined && { traceId }),
            method,
            route
          })
        )
      }
    },
    (defect) => void run(logFailure({ message: "an answer could not be reported", cause: Cause.die(defect) }))
  )

  return {
    begin: (head, route, startedAtMs) => {
      const { method } = head
      const parent = namedTrace(head)
      const span = isSampled(parent) ? makeSpan(method, route, parent) : undefined
      return {
        source: head.source,
        requestId: requestIdOf(head),
        method,
        route,
        traceId: span?.traceId ?? parent?.traceId,
        span,
        startedAtMs,
        failure: undefined,
        refusal: undefined,
        retryAfter: undefined,
        rateLimit: undefined,
        closed: undefined,
        status: 0,
        milliseconds: 0
      }
    },
    contextFor: (observation, context) => {
      const { requestId, method, route, traceId, span } = observation
      const annotations = Context.get(context, CurrentLogAnnotations)
      const own = traceId === undefined ? { requestId, method, route } : { requestId, traceId, method, route }
      const known = Context.add(
        Context.add(context, CurrentRequest, observation),
        CurrentLogAnnotations,
        isEmpty(annotations) ? own : { ...annotations, ...own }
      )
      return span === undefined ? known : Context.add(known, Tracer.ParentSpan, span)
    },
    answered: (observation, status) => {
      observation.status = status
      observation.milliseconds = performance.now() - observation.startedAtMs
      report(observation)
    }
  }
})
