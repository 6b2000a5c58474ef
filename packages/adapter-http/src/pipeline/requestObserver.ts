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
import { type RequestHead, requestIdOf } from "./requestHead.ts"
import { knownMethod, measureAnswer } from "./requestMetrics.ts"
import { CurrentRequest, type Failure, logFailure, type RequestNotes } from "./requestNotes.ts"

/** The log entry of an answered request. It contains nothing that names a person, and nothing of a token. */
export interface Answered {
  readonly requestId: string
  /** The trace that the request is a part of, when the caller named one or this server began one. */
  readonly traceId: string | undefined
  readonly method: string
  /** The template of the route and never the path, which contains identifiers and exit tokens; `none` where no route matches. */
  readonly route: string
  /** 499 when the client did not wait for it. */
  readonly status: number
  /** From the request's head to the answer's. */
  readonly milliseconds: number
  /** Why a request was refused, in a sentence without values of the client and of people; undefined for other answers. */
  readonly refusal: string | undefined
  /** Why it failed, when that is the server's fault. */
  readonly failure: Failure | undefined
}

/**
 * Receives every answer when it is sent; it must be quick, and must not throw. By default there is none, and failures go to
 * Effect's logger.
 */
export const RequestLog: Context.Reference<((answered: Answered) => void) | undefined> = Context.Reference<
  ((answered: Answered) => void) | undefined
>("@sojourn/adapter-http/RequestLog", { defaultValue: () => undefined })

/** Which requests are traced. */
export interface RequestTracesOptions {
  /** The share of requests that are traced, from 0 to 1. */
  readonly ratio: number
  /**
   * Whether the caller's `traceparent` also decides whether the trace is recorded. For trusted callers only, such as a gateway:
   * any other caller could have every request recorded.
   */
  readonly callersDecide: boolean
}

/**
 * Makes a span of a sample of the requests, with Effect's `Tracer`. There are none unless the server provides this
 * reference. A span is named by the method and the route's template and holds the status: no path, header, address or identifier.
 */
export const RequestTraces: Context.Reference<RequestTracesOptions | undefined> = Context.Reference<
  RequestTracesOptions | undefined
>("@sojourn/adapter-http/RequestTraces", { defaultValue: () => undefined })

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

  const report = (observation: RequestObservation): void => {
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
  }

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
      try {
        report(observation)
      } catch (defect) {
        run(logFailure({ message: "an answer could not be reported", cause: Cause.die(defect) }))
      }
    }
  }
})
