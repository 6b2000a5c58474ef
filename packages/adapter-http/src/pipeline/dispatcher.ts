/** Answers requests of any driver: finds the endpoint by method and path, runs it, and maps its exit. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { Refusal } from "../api/shared/refusals.ts"
import { type Answer, empty, finish, type FinishedAnswer, problem, refused } from "./answer.ts"
import type { Body } from "./body.ts"
import { corsHeaders, preflightHeaders } from "./cors.ts"
import type { CompiledEndpoint } from "./endpoint.ts"
import { fieldLineFault, pathOf, type RequestHead } from "./requestHead.ts"
import { errorOf, failureOf } from "./requestNotes.ts"
import { makeRequestObserver, type RequestObservation } from "./requestObserver.ts"

/** A declared path: its template with `:name` for each segment that varies, and what answers it by method. */
export interface Route<Endpoint> {
  readonly template: string
  readonly methods: ReadonlyMap<string, Endpoint>
}

/** A route that was found for a URL, with the segments of its path as they were sent. */
export interface Match<Endpoint> {
  readonly route: Route<Endpoint>
  /** The segments that vary, by their names, with their escapes. */
  readonly params: Readonly<Record<string, string>>
}

const NO_PARAMS = {}

/** A route with varying segments. Routes of the same length are few, and are compared one after another. */
interface Varying<Endpoint> {
  readonly segments: ReadonlyArray<string>
  readonly route: Route<Endpoint>
}

const match = (segments: ReadonlyArray<string>, values: ReadonlyArray<string>) => {
  const params: Record<string, string> = {}
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!
    const value = values[i]!
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined
    } else if (value === "") return undefined
    else params[segment.slice(1)] = value
  }
  return params
}

/**
 * Finds the route of a URL. Its path is compared exactly: case, slashes and escapes matter (spec: http#routes). A template
 * without varying segments takes precedence. Where GET is declared, HEAD is answered alike.
 */
export const makeRoutes = <Endpoint>(
  declared: Iterable<readonly [method: string, template: string, endpoint: Endpoint]>
): ((url: string) => Match<Endpoint> | undefined) => {
  const byTemplate = new Map<string, Map<string, Endpoint>>()
  for (const [method, template, endpoint] of declared) {
    const methods = byTemplate.get(template) ?? new Map<string, Endpoint>()
    byTemplate.set(template, methods.set(method, endpoint))
    if (method === "GET") methods.set("HEAD", endpoint)
  }
  const exact = new Map<string, Match<Endpoint>>()
  const varying = new Map<number, Array<Varying<Endpoint>>>()
  for (const [template, methods] of byTemplate) {
    const route = { template, methods }
    const segments = template.split("/")
    if (!template.includes(":")) exact.set(template, { route, params: NO_PARAMS })
    else varying.set(segments.length, [...(varying.get(segments.length) ?? []), { segments, route }])
  }
  return (url) => {
    const path = pathOf(url)
    const found = exact.get(path)
    if (found !== undefined) return found
    const values = path.split("/")
    for (const { segments, route } of varying.get(values.length) ?? []) {
      const params = match(segments, values)
      if (params !== undefined) return { route, params }
    }
    return undefined
  }
}

/** The status that logs and metrics show for a request whose client did not wait for the answer. */
export const CLIENT_CLOSED = 499

/** A request that a driver has the dispatcher answer. */
export interface Exchange {
  readonly head: RequestHead
  /** When the head arrived, by `performance.now`. */
  readonly startedAtMs: number
  readonly body: Body
  /** Is called once, with the answer. The driver calls the observation's `closed` once the client has it or is gone. */
  readonly answered: (answer: FinishedAnswer, observation: RequestObservation) => void
}

/** Answers the requests of all drivers. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /**
     * Starts to answer a request. Returns its fiber, which the driver interrupts when the client disconnects; undefined
     * when `answered` was called already.
     */
    readonly start: (exchange: Exchange) => Fiber.Fiber<unknown, unknown> | undefined
    /** Reports an answer that was sent with this status to the log, the metrics and the trace. */
    readonly sent: (observation: RequestObservation, status: number) => void
    /**
     * Answers a request: `start` and `sent` as one effect, interruptible until the answer is there. The driver calls `closed`, if there is
     * one, once the client has the answer or is gone.
     */
    readonly dispatch: (
      head: RequestHead,
      body: Body
    ) => Effect.Effect<FinishedAnswer & Pick<RequestObservation, "closed">>
  }
>()("@sojourn/adapter-http/Dispatcher") {}

/** Maps the exit of a request to its answer: success, refusal, 503 when the server ends, 500 on a defect, which is noted. */
const answerOf = (exit: Exit.Exit<Answer, Refusal>, observation: RequestObservation): Answer => {
  if (Exit.isSuccess(exit)) return exit.value
  const refusal = errorOf(exit.cause)
  if (Result.isSuccess(refusal)) {
    const { detail, logged = detail } = refusal.success
    observation.refusal = logged
    return refused(refusal.success)
  }
  observation.failure ??= failureOf(refusal.failure)
  return empty(Cause.hasInterruptsOnly(refusal.failure) ? 503 : 500)
}

export interface DispatcherOptions {
  readonly endpoints: ReadonlyArray<CompiledEndpoint>
  /** Origins whose pages may call. None: CORS is off, and OPTIONS is a wrong method. */
  readonly corsOrigins: ReadonlyArray<string>
}

/** Makes the dispatcher of these endpoints. Its log, tracer and references are those of the effect that makes it. */
export const makeDispatcher = ({ endpoints, corsOrigins }: DispatcherOptions) =>
  Effect.gen(function* () {
    const observer = yield* makeRequestObserver
    const context = yield* Effect.context<never>()
    const cors = corsHeaders(corsOrigins)
    const find = makeRoutes(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))

    /** Refuses a request that matches no endpoint, or is malformed. */
    const refuse = (
      head: RequestHead,
      malformed: string | undefined,
      match: Match<CompiledEndpoint> | undefined,
      observation: RequestObservation
    ): Answer => {
      const refused = (status: number, detail: string, headers?: Answer["headers"]) => {
        observation.refusal = detail
        return problem(status, detail, headers)
      }
      // A proxy in front may have read it differently, and where it ends too.
      if (malformed !== undefined) return refused(400, malformed, { connection: "close" })
      if (match === undefined) return refused(404, "There is nothing at this path.")
      if (cors !== undefined && head.method === "OPTIONS") return empty(204, preflightHeaders(head.headers))
      const allow = [...match.route.methods.keys()].join(", ")
      return refused(405, `This path answers ${allow}.`, { allow })
    }

    const start = (exchange: Exchange): Fiber.Fiber<unknown, unknown> | undefined => {
      const { head } = exchange
      const match = find(head.url)
      const observation = observer.begin(head, match?.route.template ?? "none", exchange.startedAtMs)
      const complete = (answer: Answer) =>
        exchange.answered(finish(head, observation, answer, cors?.(head.headers)), observation)
      const endpoint = match?.route.methods.get(head.method)
      const malformed = fieldLineFault(head)
      if (endpoint === undefined || malformed !== undefined) {
        complete(refuse(head, malformed, match, observation))
        return undefined
      }
      const fiber = Effect.runForkWith(observer.contextFor(observation, context))(
        Effect.suspend(() => endpoint.answer(head, match!.params, exchange.body))
      )
      fiber.addObserver((exit) => complete(answerOf(exit, observation)))
      return fiber.pollUnsafe() === undefined ? fiber : undefined
    }

    return Dispatcher.of({
      start,
      sent: observer.answered,
      dispatch: (head, body) =>
        Effect.callback<FinishedAnswer>((resume) => {
          let isAwaited = true
          const fiber = start({
            head,
            startedAtMs: performance.now(),
            body,
            answered: (answer, observation) => {
              observer.answered(observation, isAwaited ? answer.status : CLIENT_CLOSED)
              if (!isAwaited) observation.closed?.()
              resume(Effect.succeed({ ...answer, closed: observation.closed }))
            }
          })
          return Effect.sync(() => {
            isAwaited = false
            fiber?.interruptUnsafe()
          })
        })
    })
  })
