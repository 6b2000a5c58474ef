import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest, PayloadTooLarge } from "../api/refusals.ts"

/** How large a body may be, in bytes. */
export const LARGEST_BODY = 1024 * 1024

export const tooLarge = () => new PayloadTooLarge({ detail: `A body holds at most ${LARGEST_BODY} bytes.` })

const cannotBeRead = () => new BadRequest({ detail: "The body cannot be read." })

const unreadable = ({ reason }: HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? tooLarge() : cannotBeRead()

const strict = new TextDecoder("utf-8", { fatal: true })

/** The characters that these bytes stand for; bytes that stand for none are refused, and not replaced. */
const decode = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, BadRequest> => {
  try {
    return Effect.succeed(strict.decode(bytes))
  } catch {
    return Effect.fail(new BadRequest({ detail: "The body is not UTF-8." }))
  }
}

/** The body's text, as any platform reads it. The request keeps what was read: it may be asked for the body again. */
export const readText = (request: HttpServerRequest): Effect.Effect<string, BadRequest | PayloadTooLarge> =>
  Effect.flatMap(Effect.mapError(request.arrayBuffer, unreadable), decode)

/** What is used of a request of Node's. */
interface NodeRequest {
  readonly httpVersionMajor?: number
  readonly on: (event: "data" | "end" | "close", listener: (chunk: Uint8Array) => void) => void
}

const joined = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

/**
 * The same, for a request that nobody asks for its body again: where Node received it and its length is known, it is taken
 * as it comes and not by way of a stream, which costs more than all else that is done with it. Whoever has to be told to
 * continue, or sends chunks, is waited for in the usual way.
 */
export const takeText = (request: HttpServerRequest): Effect.Effect<string, BadRequest | PayloadTooLarge> => {
  const { headers, source } = request
  const node = source as NodeRequest
  const isPlain = headers["expect"] === undefined && headers["transfer-encoding"] === undefined
  if (node.httpVersionMajor !== 1 || !isPlain) return readText(request)
  return Effect.callback((resume) => {
    const chunks: Array<Uint8Array> = []
    let length = 0
    let hasEnded = false
    node.on("data", (chunk) => {
      chunks.push(chunk)
      length += chunk.length
    })
    node.on("end", () => {
      hasEnded = true
      const [first] = chunks
      resume(decode(first !== undefined && chunks.length === 1 ? first : joined(chunks, length)))
    })
    node.on("close", () => {
      if (!hasEnded) resume(Effect.fail(cannotBeRead()))
    })
  })
}
