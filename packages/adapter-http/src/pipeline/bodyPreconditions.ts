/** The checks of a body and a path that precede decoding. */
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { BadRequest, type PayloadTooLarge, UnsupportedMediaType } from "../api/shared/refusals.ts"
import { type Body, LARGEST_BODY, textOf, tooLarge } from "./body.ts"
import { isEncoded, pathOf, type RequestHead } from "./requestHead.ts"

const MEDIA_TYPE = /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)\s*(;.*)?$/i
const CHARSETS = /;\s*charset\s*=\s*"?([^\s;"]*)"?/gi

const isUtf8 = (parameters: string | undefined): boolean =>
  Array.from((parameters ?? "").matchAll(CHARSETS), ([, charset]) => charset!).every((charset) =>
    /^utf-?8$/i.test(charset)
  )

const hasNoBody = ({ headers }: RequestHead): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

const expected = (endpoint: HttpApiEndpoint.Top) =>
  new UnsupportedMediaType({
    detail: `Send the body as ${[...endpoint.payload.keys()].join(" or ")}, in UTF-8 and not compressed.`
  })

/** The most common form, which needs no parsing. */
const JSON_TYPE = "application/json"

/** Whether the body is of a media type of the endpoint, in UTF-8 and not compressed. */
const isExpected = ({ headers }: RequestHead, endpoint: HttpApiEndpoint.Top): boolean => {
  if (isEncoded(headers)) return false
  const contentType = headers["content-type"] ?? ""
  if (contentType === JSON_TYPE) return endpoint.payload.has(JSON_TYPE)
  const [, mediaType, parameters] = MEDIA_TYPE.exec(contentType) ?? []
  return mediaType !== undefined && endpoint.payload.has(mediaType.toLowerCase()) && isUtf8(parameters)
}

/** Checks the head of a body: its media type, and the size that it announces. */
const checkHead = (request: RequestHead, endpoint: HttpApiEndpoint.Top) => {
  const { headers } = request
  if (headers["content-type"] === undefined && hasNoBody(request)) {
    return new BadRequest({ detail: "The body is missing." })
  }
  if (!isExpected(request, endpoint)) return expected(endpoint)
  return Number(headers["content-length"]) > LARGEST_BODY ? tooLarge() : undefined
}

const NO_BODY = Effect.succeed("")

const readText = (
  head: RequestHead,
  endpoint: HttpApiEndpoint.Top,
  body: Body
): Effect.Effect<string, BadRequest | PayloadTooLarge | UnsupportedMediaType> => {
  if (endpoint.payload.size === 0) return NO_BODY
  const fault = checkHead(head, endpoint)
  if (fault !== undefined) return Effect.fail(fault)
  return body instanceof Uint8Array ? textOf(body) : Effect.flatMap(body, textOf)
}

/** Whether the path of a URL can be decoded. */
const isDecodable = (url: string): boolean => {
  if (!url.includes("%")) return true
  try {
    decodeURIComponent(pathOf(url))
    return true
  } catch {
    return false
  }
}

/**
 * Reads the text of a body that is of the endpoint's media type, no larger than the service takes, and UTF-8. Then checks that every
 * percent escape of the path stands for a character. All of it precedes decoding (spec: http#order-of-checks).
 */
export const checkPreconditions = (head: RequestHead, endpoint: HttpApiEndpoint.Top, body: Body) =>
  Effect.flatMapEager(readText(head, endpoint, body), (text) =>
    isDecodable(head.url)
      ? Effect.succeed(text)
      : Effect.fail(new BadRequest({ detail: "A percent escape in the path is malformed." }))
  )
