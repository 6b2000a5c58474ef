/** Drives the pipeline with requests of the Fetch standard: for other platforms than Node, and for tests without a socket. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { BadRequest, PayloadTooLarge } from "../api/shared/refusals.ts"
import { joined, tooLarge, unreadable } from "./body.ts"
import { Dispatcher } from "./dispatcher.ts"
import type { PushedBody } from "./answer.ts"
import type { RequestHead } from "./requestHead.ts"

type Dispatched = Effect.Success<ReturnType<(typeof Dispatcher)["Service"]["dispatch"]>>

/** Reads a body of at most so many bytes. */
const readBody = ({ body }: Request, largest: number): Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge> => {
  if (body === null) return Effect.succeed(new Uint8Array(0))
  const chunks: Array<Uint8Array> = []
  let size = 0
  return Stream.fromReadableStream({ evaluate: () => body, onError: unreadable }).pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      if (size > largest) return Effect.fail(tooLarge(largest))
      chunks.push(chunk)
      return Effect.void
    }),
    Effect.map(() => joined(chunks))
  )
}

/** A pushed body as a stream without a buffer of its own: chunks wait in the body, which bounds them. */
const toReadable = (body: PushedBody): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      start: (controller) =>
        body.open({
          write: (pieces) => {
            for (const piece of pieces) controller.enqueue(piece as Uint8Array<ArrayBuffer>)
            return controller.desiredSize! > 0
          },
          end: () => controller.close(),
          destroy: () => controller.error(new Error("the stream was closed"))
        }),
      pull: () => body.drained(),
      cancel: () => body.close()
    },
    { highWaterMark: 0 }
  )

/** The bytes of a body as a stream that knows when they were read. */
const toWatched = (content: Uint8Array, closed: () => void): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull: (controller) => {
        controller.enqueue(content as Uint8Array<ArrayBuffer>)
        controller.close()
        closed()
      },
      cancel: closed
    },
    { highWaterMark: 0 }
  )

const toResponse = ({ status, headers, body, closed }: Dispatched, isHead: boolean): Response => {
  const init = { status, headers }
  if (closed !== undefined) {
    if (!isHead && body._tag === "Uint8Array") return new Response(toWatched(body.body, closed), init)
    closed()
  }
  if (isHead || body._tag === "Empty") return new Response(null, init)
  if (body._tag === "Pushed") return new Response(toReadable(body), init)
  if (body._tag === "Stream") return new Response(Stream.toReadableStream(body.stream), init)
  return new Response(body.text ?? (body.body as Uint8Array<ArrayBuffer>), init)
}

/**
 * Makes a handler of the Fetch standard, for Bun, Deno, Hono, an Effect `HttpServer`, or a test without a socket. The path of the
 * request is the interface's own: cut off the prefix under which the handler is mounted. Aborting the request interrupts its work.
 */
export const makeWebHandler = Effect.gen(function* () {
  const { dispatch } = yield* Dispatcher
  const run = Effect.runPromiseWith(Context.empty())
  return (request: Request): Promise<Response> => {
    const { method, url, headers, signal } = request
    const { pathname, search } = new URL(url)
    const head: RequestHead = { method, url: pathname + search, headers: Object.fromEntries(headers), source: request }
    return run(
      Effect.map(
        dispatch(head, (largest) => readBody(request, largest)),
        (answer) => toResponse(answer, method === "HEAD")
      ),
      { signal }
    )
  }
})
