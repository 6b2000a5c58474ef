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
export const textOf = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, BadRequest> => {
  try {
    return Effect.succeed(strict.decode(bytes))
  } catch {
    return Effect.fail(new BadRequest({ detail: "The body is not UTF-8." }))
  }
}

/** The body's text, as any platform reads it. The request keeps what was read: it may be asked for the body again. */
export const readText = (request: HttpServerRequest): Effect.Effect<string, BadRequest | PayloadTooLarge> =>
  Effect.flatMap(Effect.mapError(request.arrayBuffer, unreadable), textOf)
