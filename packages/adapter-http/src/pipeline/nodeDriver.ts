/** Drives the pipeline with requests of `node:http`: receives bodies, runs the dispatcher, writes answers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { Scheduler } from "effect/Scheduler"
import * as Stream from "effect/Stream"
import type { BadRequest, PayloadTooLarge } from "../api/shared/refusals.ts"
import { logFailure } from "./failure.ts"
import type { FinishedAnswer } from "./answer.ts"
import { batchPerTick } from "./batchPerTick.ts"
import { joined, LARGEST_BODY, tooLarge, unreadable } from "./body.ts"
import { CLIENT_CLOSED, Dispatcher, type Exchange } from "./dispatcher.ts"
import { endAfterBody } from "./endAfterBody.ts"
import type { Body } from "./endpoint.ts"
import type { BodyReceiver, NodeRequest, NodeResponse } from "./nodeTypes.ts"
import type { BodySink, PushedBody } from "./PushedBody.ts"
import type { RequestHead } from "./requestHead.ts"
import type { RequestObservation } from "./requestObserver.ts"

/** The largest Content-Length, in bytes, with which a body is received before the head is checked. */
const LARGEST_SHORT_BODY = 16 * 1024

/** Whether a request has no body or a short one, which is received completely before the request is dispatched. */
const isShort = ({ headers }: NodeRequest): boolean =>
  headers["transfer-encoding"] === undefined &&
  headers["expect"] === undefined &&
  Number(headers["content-length"] ?? 0) <= LARGEST_SHORT_BODY

const NO_BODY = new Uint8Array(0)

/** Reads a body that is long or of unknown length, up to `LARGEST_BODY`. */
const readLong = (
  request: NodeRequest,
  response: NodeResponse,
  expectsContinue: boolean
): Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge> =>
  Effect.callback((resume) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const stop = () => {
      request.off("data", receive)
      request.off("end", complete)
      request.off("error", fail)
      request.off("close", fail)
    }
    const end = (result: Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge>) => {
      stop()
      resume(result)
    }
    const receive = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > LARGEST_BODY) {
        // The rest of the body is discarded.
        request.resume()
        return end(Effect.fail(tooLarge()))
      }
      chunks.push(chunk)
    }
    const complete = () => end(Effect.succeed(joined(chunks)))
    const fail = () => end(Effect.fail(unreadable()))
    request.on("data", receive)
    request.on("end", complete)
    request.on("error", fail)
    request.on("close", fail)
    if (expectsContinue) response.writeContinue()
    return Effect.sync(stop)
  })

const EXCHANGE = Symbol("exchange")
const SINK = Symbol("sink")

interface Marked {
  [EXCHANGE]?: NodeExchange | undefined
  [SINK]?: NodeSink
}

// Shared by all requests: separate closures would occupy memory for each pending request.
function received(this: Marked, chunk: Uint8Array): void {
  this[EXCHANGE]!.receive(chunk)
}

function completed(this: Marked): void {
  this[EXCHANGE]!.complete()
}

function closed(this: Marked): void {
  this[EXCHANGE]?.closed()
}

function sinkDrained(this: Marked): void {
  this[SINK]!.body.drained()
}

function sinkClosed(this: Marked): void {
  this[SINK]!.body.close()
}

/** Writes a pushed body to its response. It is all that the driver keeps of the exchange meanwhile. */
class NodeSink implements BodySink {
  readonly body: PushedBody
  private readonly response: NodeResponse & Marked

  constructor(response: NodeResponse & Marked, body: PushedBody) {
    this.response = response
    this.body = body
  }

  begin(): void {
    const { body, response } = this
    response[EXCHANGE] = undefined
    response[SINK] = this
    response.on("drain", sinkDrained)
    response.on("close", sinkClosed)
    body.open(this)
  }

  write(pieces: ReadonlyArray<Uint8Array>): boolean {
    const { response } = this
    return response.writeChunk === undefined ? response.write(joined(pieces)) : response.writeChunk(pieces)
  }

  end(): void {
    this.response.end()
  }

  destroy(): void {
    this.response.destroy()
  }
}

/** A request of `node:http` until its response is closed. Small, since one exists for each admitted request. */
class NodeExchange implements Exchange, BodyReceiver {
  readonly head: RequestHead
  readonly begun = performance.now()
  readonly response: NodeResponse & Marked
  /** The observation and the answer, set when the request is answered. */
  observation: RequestObservation | undefined = undefined
  answer: FinishedAnswer | undefined = undefined
  private readonly batches: Batches
  private readonly long: Body | undefined
  private chunks: Array<Uint8Array> | undefined = undefined
  private fiber: Fiber.Fiber<unknown, unknown> | undefined = undefined

  constructor(head: RequestHead, response: NodeResponse, batches: Batches, long: Body | undefined) {
    this.head = head
    this.response = response
    this.batches = batches
    this.long = long
  }

  /** Receives the body, and starts the request when the body is complete. */
  receiveBody(request: NodeRequest & Marked): void {
    if (request.handOver !== undefined) return request.handOver(this)
    request[EXCHANGE] = this
    request.on("data", received)
    request.on("end", completed)
  }

  receive(chunk: Uint8Array): void {
    if (this.chunks === undefined) this.chunks = [chunk]
    else this.chunks.push(chunk)
  }

  complete(): void {
    this.batches.start(this)
  }

  body(): Body {
    if (this.long !== undefined) return this.long
    const { chunks } = this
    this.chunks = undefined
    return chunks === undefined ? NO_BODY : joined(chunks)
  }

  answered(answer: FinishedAnswer, observation: RequestObservation): void {
    this.answer = answer
    this.observation = observation
    this.batches.send(this)
  }

  /** Interrupts the request's fiber when the client disconnects before the answer. */
  interruptOnClose(fiber: Fiber.Fiber<unknown, unknown>): void {
    this.fiber = fiber
    this.response[EXCHANGE] = this
    this.response.on("close", closed)
  }

  closed(): void {
    if (!this.response.writableEnded) this.fiber?.interruptUnsafe()
  }
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Path and query of a request's target, which may have absolute form (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const path = target.replace(ABSOLUTE, "")
  return path.startsWith("/") ? path : `/${path}`
}

/** Starts the requests that arrived in one turn of the event loop together, and likewise writes the answers of one turn. */
interface Batches {
  readonly start: (exchange: NodeExchange) => void
  readonly send: (exchange: NodeExchange) => void
}

const drained = (response: NodeResponse) =>
  Effect.callback<void>((resume) => {
    const proceed = () => {
      response.off("drain", proceed)
      response.off("close", proceed)
      resume(Effect.void)
    }
    response.once("drain", proceed)
    response.once("close", proceed)
  })

/** Writes a stream with backpressure. When the stream fails, the connection is closed, so that the client detects the error. */
const sendStream = (response: NodeResponse, stream: Stream.Stream<Uint8Array, unknown>) =>
  Stream.runForEach(stream, (chunk) =>
    Effect.suspend(() => (response.write(chunk) || response.destroyed ? Effect.void : drained(response)))
  ).pipe(Effect.onExit((exit) => Effect.sync(() => (Exit.isSuccess(exit) ? response.end() : response.destroy()))))

/**
 * Makes the request listener for `node:http`: for `createServer`, or for some paths of an existing server, also as a middleware. A
 * request with `Expect: 100-continue` gets its `100 Continue` when its body is read; a server that forwards `checkContinue` events
 * passes `true` as `expectsContinue`. What else stands there, as the next middleware does, is ignored.
 */
export const makeNodeListener = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const context = yield* Effect.context<never>()
  const run = Effect.runForkWith(context)
  const tasks = (yield* Scheduler).makeDispatcher()
  const broke = (defect: unknown) => void run(logFailure({ message: "request failed", cause: Cause.die(defect) }))

  const start = (exchange: NodeExchange) => {
    const fiber = dispatcher.start(exchange)
    if (fiber !== undefined) exchange.interruptOnClose(fiber)
  }

  const write = (response: NodeResponse, { status, headers, body }: FinishedAnswer, head: RequestHead): void => {
    const isHead = head.method === "HEAD"
    const { complete } = head.source as NodeRequest
    if (
      headers["connection"] === "close" &&
      complete !== true &&
      (body._tag === "Empty" || body._tag === "Uint8Array")
    ) {
      response.writeHead(status, headers)
      return endAfterBody(head.source as NodeRequest, response, body._tag === "Empty" ? undefined : body.body)
    }
    switch (body._tag) {
      case "Empty":
        response.writeHead(status, headers)
        response.end()
        return
      case "Uint8Array": {
        const { text } = body
        if (text === undefined) {
          response.writeHead(status, headers)
          response.end(body.body)
          return
        }
        // Most texts are ASCII and need no encoding.
        const encoding = text.length === body.contentLength ? "latin1" : "utf8"
        // `sendWhole` does not validate headers, and a CORS header may repeat the client's input.
        if (response.sendWhole !== undefined && headers["vary"] === undefined) {
          return response.sendWhole(status, headers, text, encoding)
        }
        response.writeHead(status, headers)
        response.end(text, encoding)
        return
      }
      case "Stream": {
        response.writeHead(status, headers)
        if (isHead) return void response.end()
        const fiber = run(sendStream(response, body.stream))
        response.on("close", () => fiber.interruptUnsafe())
        return
      }
      case "Pushed":
        response.writeHead(status, headers)
        if (isHead) return void response.end()
        new NodeSink(response, body).begin()
    }
  }

  const send = (exchange: NodeExchange) => {
    const { response } = exchange
    const answer = exchange.answer!
    if (response.destroyed) return dispatcher.sent(exchange.observation!, CLIENT_CLOSED)
    write(response, answer, exchange.head)
    // The answer is sent before the log and the metrics are written.
    dispatcher.sent(exchange.observation!, answer.status)
  }

  const batches: Batches = {
    start: batchPerTick((flush) => tasks.scheduleTask(flush, 0), start, broke),
    send: batchPerTick(queueMicrotask, send, broke)
  }

  return (request: NodeRequest, response: NodeResponse, expectsContinue?: unknown): void => {
    const head = {
      method: request.method ?? "",
      url: originForm(request.url ?? ""),
      headers: request.headers as RequestHead["headers"],
      source: request
    }
    if (isShort(request)) new NodeExchange(head, response, batches, undefined).receiveBody(request)
    else batches.start(new NodeExchange(head, response, batches, readLong(request, response, expectsContinue === true)))
  }
})
