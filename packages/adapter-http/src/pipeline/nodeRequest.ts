/** Requests and responses of `node:http`: the documented members that the driver uses, and how it receives bodies. */
import * as Effect from "effect/Effect"
import { BadRequest, type PayloadTooLarge } from "../api/shared/refusals.ts"
import { type Body, joined, tooLarge, unreadable } from "./body.ts"

/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** Whether the request was received completely; frameworks may leave it out. */
  readonly complete?: boolean
  /** Whether something has read of the body, or all of it. */
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  /** What has arrived of the body and was not read; null where there is nothing. */
  readonly read: () => Uint8Array | null
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "error" | "close", listener: () => void): unknown
  off(event: "data" | "end" | "error" | "close", listener: (chunk: Uint8Array) => void): unknown
  readonly resume: () => unknown
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
  readonly writeContinue: () => unknown
  readonly flushHeaders: () => void
  readonly write: (chunk: string | Uint8Array) => boolean
  readonly end: (body?: string | Uint8Array) => unknown
  readonly destroy: () => unknown
  readonly on: (event: "drain" | "close", listener: () => void) => unknown
  readonly once: (event: "drain" | "close", listener: () => void) => unknown
  readonly off: (event: "drain" | "close", listener: () => void) => unknown
}

/** The largest Content-Length, in bytes, with which a body is received before the head is checked. */
const LARGEST_SHORT_BODY = 16 * 1024

const NO_BODY = new Uint8Array(0)

/** The refusal of a body that the application around the listener has read already: it would never arrive. */
const readBefore = () =>
  Effect.fail(
    new BadRequest({
      detail: "The application has read the body before: it has to pass requests on here before it parses their bodies."
    })
  )

/** Reads a body that is long or of unknown length, of at most so many bytes. */
const readLong = (
  request: NodeRequest,
  response: NodeResponse,
  expectsContinue: boolean,
  largest: number
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
      if (size > largest) {
        // The rest of the body is discarded.
        request.resume()
        return end(Effect.fail(tooLarge(largest)))
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

/**
 * Calls `start` with the body of a request. A short body is received completely before: mostly it has arrived with the head, and is
 * read at once, so that nearly every request runs without a wait. A body that is long or of unknown length is received when the
 * endpoint reads it.
 */
export const withBody = (
  request: NodeRequest,
  response: NodeResponse,
  expectsContinue: boolean,
  start: (body: Body) => void
): void => {
  const { "transfer-encoding": coding, "content-length": length, expect } = request.headers
  if (coding === undefined && length === undefined) return start(NO_BODY)
  if (request.readableDidRead === true || request.readableEnded === true) return start(readBefore)
  if (coding !== undefined || expect !== undefined || Number(length ?? 0) > LARGEST_SHORT_BODY) {
    return start((largest) => readLong(request, response, expectsContinue, largest))
  }
  if (request.complete === true) return start(request.read() ?? NO_BODY)
  const chunks: Array<Uint8Array> = []
  request.on("data", (chunk) => void chunks.push(chunk))
  request.on("end", () => start(joined(chunks)))
}
