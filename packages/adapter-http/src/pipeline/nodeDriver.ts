/** Drives the pipeline with requests of `node:http`: receives bodies, runs the dispatcher, writes answers. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { Scheduler } from "effect/Scheduler"
import { logFailure } from "./failure.ts"
import type { FinishedAnswer } from "./answer.ts"
import { batchPerTick } from "./batchPerTick.ts"
import { CLIENT_CLOSED, Dispatcher } from "./dispatcher.ts"
import { CHUNK_BYTES, openPushed, writeLong, writeStream, writeWhole } from "./nodeAnswer.ts"
import { withBody } from "./nodeBody.ts"
import type { NodeRequest, NodeResponse } from "./nodeTypes.ts"
import type { RequestHead } from "./requestHead.ts"

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Path and query of a request's target, which may have absolute form (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const path = target.replace(ABSOLUTE, "")
  return path.startsWith("/") ? path : `/${path}`
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

  const write = (request: NodeRequest, response: NodeResponse, { status, headers, body }: FinishedAnswer): void => {
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

  const runTask = (task: () => void) => task()
  const onDefect = (defect: unknown) => void run(logFailure({ message: "request failed", cause: Cause.die(defect) }))
  /** Starts the requests of one turn of the event loop as a batch. */
  const startInBatch = batchPerTick(later, runTask, onDefect)
  /** Writes the answers of one turn as a batch. */
  const writeInBatch = batchPerTick(queueMicrotask, runTask, onDefect)

  return (request: NodeRequest, response: NodeResponse, expectsContinue?: unknown): void => {
    const startedAtMs = performance.now()
    const head = {
      method: request.method ?? "",
      url: originForm(request.url ?? ""),
      headers: request.headers as RequestHead["headers"],
      source: request
    }
    withBody(request, response, expectsContinue === true, (body) =>
      startInBatch(() => {
        const fiber = dispatcher.start({
          head,
          startedAtMs,
          body: () => body,
          answered: (answer, observation) =>
            writeInBatch(() => {
              const { closed } = observation
              if (response.destroyed) {
                closed?.()
                return dispatcher.sent(observation, CLIENT_CLOSED)
              }
              if (closed !== undefined) response.on("close", closed)
              write(request, response, answer)
              // The answer is written before the log and the metrics.
              dispatcher.sent(observation, answer.status)
            })
        })
        // The client may disconnect before the answer.
        if (fiber !== undefined) response.on("close", () => void (response.writableEnded || fiber.interruptUnsafe()))
      })
    )
  }
})
