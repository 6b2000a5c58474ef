/** Writes answers to responses of `node:http`. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import { type Problem, PROBLEM_TYPE } from "../api/shared/refusals.ts"
import { commonHeaders, hasLongRest, type PushedBody, wantsProblem } from "./answer.ts"
import type { CorsHeaders } from "./cors.ts"
import type { NodeRequest, NodeResponse } from "./nodeRequest.ts"
import { UnreadAnswers } from "./overload.ts"
import { type RequestHead, requestIdOf } from "./requestHead.ts"

/** Bodies above this length are written in chunks of it, as the client reads. */
export const CHUNK_BYTES = 64 * 1024

const unread = new UnreadAnswers()

/** Runs a task in a later turn of the event loop. */
type Later = (task: () => void) => void

/** Writes a body as the client reads it, and calls `end` with the last chunk. */
const writeChunks = (
  response: NodeResponse,
  content: Uint8Array,
  later: Later,
  end: (last: Uint8Array) => void
): void => {
  let at = 0
  const proceed = () => {
    if (response.destroyed) return
    while (at + CHUNK_BYTES < content.length) {
      const chunk = content.subarray(at, at + CHUNK_BYTES)
      at += CHUNK_BYTES
      if (!response.write(chunk)) return unread.wait(response, content)
    }
    response.off("drain", proceedLater)
    unread.release(response)
    end(content.subarray(at))
  }
  // A quick client would keep the event loop busy until it has everything.
  const proceedLater = () => later(proceed)
  response.on("drain", proceedLater)
  response.on("close", () => unread.release(response))
  proceed()
}

/** How long the rest of a body is received and dropped after the answer, in milliseconds. */
const MAX_REST_MS = 5_000

/** Ends an answer that closes the connection, once the request's body was received and dropped. */
const endAfterRest = (request: NodeRequest, response: NodeResponse): void => {
  const end = () => {
    clearTimeout(ending)
    request.off("end", end)
    request.off("close", end)
    response.end()
  }
  const ending = setTimeout(end, MAX_REST_MS)
  request.on("end", end)
  request.on("close", end)
  request.resume()
}

/**
 * Writes a whole answer. If it closes the connection before the request's body has arrived, it ends once the body was received and
 * dropped, the client has closed the connection, or 5 seconds have passed: closing the connection while the body arrives would
 * reset it, and the client could lose the answer (RFC 9112, section 9.6).
 */
export const writeWhole = (
  request: NodeRequest,
  response: NodeResponse,
  status: number,
  headers: { readonly [name: string]: string },
  body?: string | Uint8Array
): void => {
  response.writeHead(status, headers)
  if (headers["connection"] !== "close" || request.complete === true) return void response.end(body)
  if (body === undefined) response.flushHeaders()
  else response.write(body)
  endAfterRest(request, response)
}

/** The same for a body that is long: it is written as the client reads. */
export const writeLong = (
  request: NodeRequest,
  response: NodeResponse,
  status: number,
  headers: { readonly [name: string]: string },
  body: Uint8Array,
  later: Later
): void => {
  response.writeHead(status, headers)
  writeChunks(response, body, later, (last) => {
    if (headers["connection"] !== "close" || request.complete === true) return void response.end(last)
    response.write(last)
    endAfterRest(request, response)
  })
}

const drained = (response: NodeResponse, chunk: Uint8Array) =>
  Effect.callback<void>((resume) => {
    unread.wait(response, chunk)
    const proceed = () => {
      unread.release(response)
      response.off("drain", proceed)
      response.off("close", proceed)
      resume(Effect.void)
    }
    response.once("drain", proceed)
    response.once("close", proceed)
  })

/** Writes a stream with backpressure. When the stream fails, the connection is closed, so that the client detects the error. */
export const writeStream = (response: NodeResponse, stream: Stream.Stream<Uint8Array, unknown>) =>
  Stream.runForEach(stream, (chunk) =>
    Effect.suspend(() => (response.write(chunk) || response.destroyed ? Effect.void : drained(response, chunk)))
  ).pipe(Effect.onExit((exit) => Effect.sync(() => (Exit.isSuccess(exit) ? response.end() : response.destroy()))))

/** Opens a pushed body on a response. */
export const openPushed = (response: NodeResponse, body: PushedBody): void => {
  response.on("drain", () => body.drained())
  response.on("close", () => body.close())
  body.open({
    // Node joins the writes of one turn into one system call, without a copy of the pieces, which may be shared.
    write: (pieces) => pieces.reduce((_, piece) => response.write(piece), true),
    end: () => void response.end(),
    destroy: () => void response.destroy()
  })
}

const PROBLEM = JSON.stringify({
  type: PROBLEM_URIS.ServerUnavailable,
  title: "Service Unavailable",
  status: 503,
  detail: "The server has more requests than it can answer now: try again later."
} satisfies Problem)

/** In bytes: the text is ASCII. */
const LENGTH = String(PROBLEM.length)

export const rejectOverload = (request: NodeRequest, response: NodeResponse, cors?: CorsHeaders): void => {
  const head = { method: "", url: "", headers: request.headers as RequestHead["headers"], source: request }
  const isProblemWanted = wantsProblem(head.headers["accept"])
  const headers: Record<string, string> = {
    "content-length": isProblemWanted ? LENGTH : "0",
    ...commonHeaders(requestIdOf(head)),
    "retry-after": "1",
    ...cors?.(request.headers)
  }
  if (isProblemWanted) headers["content-type"] = PROBLEM_TYPE
  if (hasLongRest(head)) headers["connection"] = "close"
  writeWhole(request, response, 503, headers, isProblemWanted ? PROBLEM : undefined)
}
