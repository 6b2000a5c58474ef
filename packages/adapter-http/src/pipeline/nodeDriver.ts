/** Drives the pipeline with requests of `node:http`: receives bodies, runs the dispatcher, writes answers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { Scheduler } from "effect/Scheduler"
import type { FinishedAnswer } from "./answer.ts"
import type { Body } from "./body.ts"
import { CLIENT_CLOSED, Dispatcher, type Exchange } from "./dispatcher.ts"
import { CHUNK_BYTES, openPushed, writeLong, writeStream, writeWhole } from "./nodeAnswer.ts"
import { type NodeRequest, type NodeResponse, withBody } from "./nodeRequest.ts"
import type { RequestHead } from "./requestHead.ts"
import { logFailure } from "./requestNotes.ts"
import type { RequestObservation } from "./requestObserver.ts"

/**
 * Collects items until `soon` calls back, and acts on all of them in order. Code and data of one step stay in the processor's
 * caches that way: acting on each movement by itself cost a tenth more. A defect of one item is passed to `onDefect`, and the
 * others are still processed.
 */
export const batchPerTick = <Item>(
  soon: (run: () => void) => void,
  act: (item: Item) => void,
  onDefect: (defect: unknown) => void
): ((item: Item) => void) => {
  let waiting: Array<Item> = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const item of all) {
      try {
        act(item)
      } catch (defect) {
        onDefect(defect)
      }
    }
  }
  return (item) => {
    if (waiting.push(item) === 1) soon(run)
  }
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Path and query of a request's target, which may have absolute form (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const path = target.replace(ABSOLUTE, "")
  return path.startsWith("/") ? path : `/${path}`
}

/** A request of `node:http` from its head to its answer. */
class NodeExchange implements Exchange {
  readonly startedAtMs = performance.now()
  readonly request: NodeRequest
  readonly response: NodeResponse
  readonly head: RequestHead
  body!: Body
  answer!: FinishedAnswer
  observation!: RequestObservation
  /** Whether the client has left before its answer. */
  isGone = false
  readonly expectsContinue: boolean
  private readonly send: (exchange: NodeExchange) => void

  constructor(request: NodeRequest, response: NodeResponse, expectsContinue: boolean, send: NodeExchange["send"]) {
    this.request = request
    this.response = response
    this.expectsContinue = expectsContinue
    this.head = {
      method: request.method ?? "",
      url: originForm(request.url ?? ""),
      headers: request.headers as RequestHead["headers"],
      source: request
    }
    this.send = send
  }

  answered(answer: FinishedAnswer, observation: RequestObservation): void {
    this.answer = answer
    this.observation = observation
    this.send(this)
  }
}

/**
 * Makes the request listener for `node:http`: for `createServer`, or for some paths of an existing server, also as a middleware. A
 * request with `Expect: 100-continue` gets its `100 Continue` when its body is read; a server that forwards `checkContinue` events
 * passes `true` as `expectsContinue`. Other values of this argument, such as the next middleware, are ignored.
 */
export const makeNodeListener = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const tasks = (yield* Scheduler).makeDispatcher()
  const later = (task: () => void) => tasks.scheduleTask(task, 0)
  const onDefect = (defect: unknown) => void run(logFailure({ message: "request failed", cause: Cause.die(defect) }))

  const write = ({ request, response, answer: { status, headers, body } }: NodeExchange): void => {
    if (body._tag === "Empty") return writeWhole(request, response, status, headers)
    if (body._tag === "Uint8Array") {
      if (body.contentLength > CHUNK_BYTES && request.method !== "HEAD") {
        return writeLong(request, response, status, headers, body.body, later)
      }
      return writeWhole(request, response, status, headers, body.text ?? body.body)
    }
    response.writeHead(status, headers)
    if (request.method === "HEAD") return void response.end()
    if (body._tag === "Pushed") return openPushed(response, body)
    const fiber = run(writeStream(response, body.stream))
    response.on("close", () => fiber.interruptUnsafe())
  }

  /** Reports answers to the log and the metrics, once all of a turn are written. */
  const report = batchPerTick(
    queueMicrotask,
    ({ observation, answer, isGone }: NodeExchange) =>
      dispatcher.sent(observation, isGone ? CLIENT_CLOSED : answer.status),
    onDefect
  )

  /** Writes the answers of one turn. */
  const send = batchPerTick(
    queueMicrotask,
    (exchange: NodeExchange) => {
      const { response, observation } = exchange
      const { closed } = observation
      exchange.isGone = response.destroyed
      if (!exchange.isGone) {
        if (closed !== undefined) response.on("close", closed)
        write(exchange)
      } else closed?.()
      report(exchange)
    },
    onDefect
  )

  const dispatch = (exchange: NodeExchange): void => {
    const { response } = exchange
    const fiber = dispatcher.start(exchange)
    // The client may disconnect before the answer.
    if (fiber !== undefined) response.on("close", () => void (response.writableEnded || fiber.interruptUnsafe()))
  }

  /** Starts the requests of one turn. */
  const start = batchPerTick(
    later,
    (exchange: NodeExchange) =>
      withBody(exchange.request, exchange.response, exchange.expectsContinue, (body) => {
        exchange.body = body
        dispatch(exchange)
      }),
    onDefect
  )

  return (request: NodeRequest, response: NodeResponse, expectsContinue?: unknown): void =>
    start(new NodeExchange(request, response, expectsContinue === true, send))
})
