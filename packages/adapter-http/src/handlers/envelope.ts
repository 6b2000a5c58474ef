import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../api/refusals.ts"

/** How large a body may be, in bytes. */
export const LARGEST_BODY = 1024 * 1024

const MEDIA_TYPE = /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)\s*(;.*)?$/i
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i

const isUtf8 = (parameters: string | undefined): boolean => {
  const charset = CHARSET.exec(parameters ?? "")?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}

const hasNoBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

const strictUtf8 = (bytes: ArrayBuffer) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new BadRequest({ detail: "The body is not UTF-8." })
  })

/**
 * The body is of the endpoint's media type, no larger than the service takes, and UTF-8: media type and size are checked
 * before the shape of anything (contract, section 3). The body is kept by the request, so it is read once.
 */
export const checkBody = Effect.fnUntraced(function* (request: HttpServerRequest, endpoint: HttpApiEndpoint.Top) {
  if (endpoint.payload.size === 0) return
  const contentType = request.headers["content-type"]
  if (contentType === undefined && hasNoBody(request)) return yield* new BadRequest({ detail: "The body is missing." })
  const [, mediaType, parameters] = MEDIA_TYPE.exec(contentType ?? "") ?? []
  const isExpected = mediaType !== undefined && endpoint.payload.has(mediaType.toLowerCase()) && isUtf8(parameters)
  if (!isExpected || (request.headers["content-encoding"] ?? "identity") !== "identity") {
    return yield* new UnsupportedMediaType({ detail: `Send the body as ${[...endpoint.payload.keys()].join(" or ")}.` })
  }
  if (Number(request.headers["content-length"]) > LARGEST_BODY) return yield* tooLarge()
  const bytes = yield* Effect.mapError(request.arrayBuffer, ({ reason }) =>
    reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
      ? tooLarge()
      : new BadRequest({ detail: "The body cannot be read." })
  )
  const text = yield* Effect.orDie(request.text)
  if (text.includes("\ufffd")) yield* strictUtf8(bytes)
})

const tooLarge = () => new PayloadTooLarge({ detail: `A body holds at most ${LARGEST_BODY} bytes.` })

/** Every percent escape of the path stands for a character. */
export const checkPath = (request: HttpServerRequest): Effect.Effect<void, BadRequest> =>
  isDecodable(request.originalUrl)
    ? Effect.void
    : Effect.fail(new BadRequest({ detail: "A percent escape in the path is malformed." }))

/** Can the path of this URL be decoded? */
export const isDecodable = (url: string): boolean => {
  const path = url.split("?", 1)[0] ?? ""
  if (!path.includes("%")) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
