import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import { CurrentLogAnnotations } from "effect/References"
import * as Tracer from "effect/Tracer"
import { type Failure, logFailure, NotedFailure } from "../failure.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import { knownMethod, measureAnswer } from "./metrics.ts"
import { requestIdOf } from "./requestId.ts"
import { RequestLog } from "./RequestLog.ts"
import { RequestTraces } from "./RequestTraces.ts"
import { together } from "./together.ts"

/** A request on its way, as logs, metrics and traces know it. */
export interface Watched {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly traceId: string | undefined
  readonly span: Tracer.Span | undefined
  /** When it came, by `performance.now`. */
  readonly begun: number
  failure?: Failure | undefined
  /** What was answered, and after how many milliseconds, once it was. */
  status: number
  milliseconds: number
}

/** Watches requests from their heads to their answers, whichever way they go. */
export interface Watch {
  readonly begin: (head: RequestHead, route: string, begun: number) => Watched
  /** The context that a request is answered in: what is logged there says of which request it is, and spans are its. */
  readonly contextFor: (watched: Watched, context: Context.Context<never>) => Context.Context<never>
  /** Tells everybody of an answer, as it leaves. It cannot fail. */
  readonly answered: (watched: Watched, status: number) => void
}

/** A span of what failed says no more than the status: why is the log's to tell. */
class RequestFailed extends Data.TaggedError("RequestFailed")<{ readonly status: number }> {}

/** The trace that the caller says the request is a part of, if it is well formed (W3C Trace Context). */
const namedTrace = ({ headers }: RequestHead): Tracer.ExternalSpan | undefined =>
  headers["traceparent"] === undefined ? undefined : Option.getOrUndefined(HttpTraceContext.w3c(headers))

/** Most servers annotate nothing else. */
const isEmpty = (annotations: Readonly<Record<string, unknown>>): boolean => {
  for (const _ in annotations) return false
  return true
}

/** The watch over the requests of a server. */
export const makeWatch: Effect.Effect<Watch> = Effect.gen(function* () {
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

  /** Tells of answers together, once all of a batch have left. */
  const tell = together(
    queueMicrotask,
    (watched: Watched) => {
      const { requestId, traceId, method, route, span, failure, status, milliseconds } = watched
      measureAnswer(method, route, status, milliseconds)
      if (span !== undefined) {
        span.attribute("http.response.status_code", status)
        span.end(clock.currentTimeNanosUnsafe(), status < 500 ? Exit.void : Exit.fail(new RequestFailed({ status })))
      }
      if (log !== undefined) log({ requestId, traceId, method, route, status, milliseconds, failure })
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
    (defect) => void run(logFailure({ message: "an answer could not be told of", cause: Cause.die(defect) }))
  )

  return {
    begin: (head, route, begun) => {
      const { method } = head
      const parent = namedTrace(head)
      const span = isSampled(parent) ? makeSpan(method, route, parent) : undefined
      return {
        requestId: requestIdOf(head),
        method,
        route,
        traceId: span?.traceId ?? parent?.traceId,
        span,
        begun,
        failure: undefined,
        status: 0,
        milliseconds: 0
      }
    },
    contextFor: (watched, context) => {
      const { requestId, method, route, traceId, span } = watched
      const annotations = Context.get(context, CurrentLogAnnotations)
      const own = traceId === undefined ? { requestId, method, route } : { requestId, traceId, method, route }
      const known = Context.add(
        Context.add(context, NotedFailure, watched),
        CurrentLogAnnotations,
        isEmpty(annotations) ? own : { ...annotations, ...own }
      )
      return span === undefined ? known : Context.add(known, Tracer.ParentSpan, span)
    },
    answered: (watched, status) => {
      watched.status = status
      watched.milliseconds = performance.now() - watched.begun
      tell(watched)
    }
  }
})
