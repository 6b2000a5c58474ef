/** Answers requests of any driver: finds the endpoint, runs it, and maps its exit. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { Refusal } from "../api/shared/refusals.ts"
import { errorOf, failureOf } from "./failure.ts"
import { type Answer, empty, finish, type FinishedAnswer, problem, refused } from "./answer.ts"
import { corsHeaders, preflightHeaders } from "./cors.ts"
import type { Body } from "./body.ts"
import type { CompiledEndpoint } from "./endpoint.ts"
import { fieldLineFault } from "./fieldLines.ts"
import type { RequestHead } from "./requestHead.ts"
import { makeRequestObserver, type RequestObservation } from "./requestObserver.ts"
import { makeRoutes, type Match } from "./routes.ts"

/** The status that logs and metrics show for a request whose client did not wait for the answer. */
export const CLIENT_CLOSED = 499

/** A request that a driver has the dispatcher answer. */
export interface Exchange {
  readonly head: RequestHead
  /** When the head arrived, by `performance.now`. */
  readonly startedAtMs: number
  /** Reads the body. It is called once at most, after the head was checked. */
  readonly body: () => Body
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
        Effect.suspend(() => endpoint.answer(head, match!.params, exchange.body()))
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
            body: () => body,
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
