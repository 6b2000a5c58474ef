/** The body of a request, for all drivers: its largest size, its checks before decoding, and its refusals. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { LargestBody } from "../api/shared/largestBody.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../api/shared/refusals.ts"
import { isEncoded, pathOf, type RequestHead } from "./requestHead.ts"

/** The body of a request: its bytes, or what reads so many of them at most after admission. */
export type Body = Uint8Array | ((largest: number) => Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge>)

export const tooLarge = (largest: number) => new PayloadTooLarge({ detail: `The body holds at most ${largest} bytes.` })

export const unreadable = () => new BadRequest({ detail: "The body cannot be read." })

const strict = new TextDecoder("utf-8", { fatal: true })

/** Decodes UTF-8. Malformed bytes are refused, and not replaced. */
export const textOf = (bytes: Uint8Array): Effect.Effect<string, BadRequest> => {
  try {
    return Effect.succeed(strict.decode(bytes))
  } catch {
    return Effect.fail(new BadRequest({ detail: "The body is not UTF-8." }))
  }
}

/** The chunks of a body as one piece. */
export const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

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

/** The media type of a body that was admitted, in lower case. */
export const mediaTypeOf = ({ headers }: RequestHead): string =>
  MEDIA_TYPE.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase() ?? ""

/** Whether the body is of a media type of the endpoint, in UTF-8 and not compressed. */
const isExpected = ({ headers }: RequestHead, endpoint: HttpApiEndpoint.Top): boolean => {
  if (isEncoded(headers)) return false
  const contentType = headers["content-type"] ?? ""
  if (contentType === JSON_TYPE) return endpoint.payload.has(JSON_TYPE)
  const [, mediaType, parameters] = MEDIA_TYPE.exec(contentType) ?? []
  return mediaType !== undefined && endpoint.payload.has(mediaType.toLowerCase()) && isUtf8(parameters)
}

/** Checks the head of a body: its media type, and the size that it announces. */
const checkHead = (request: RequestHead, endpoint: HttpApiEndpoint.Top, largest: number) => {
  const { headers } = request
  if (headers["content-type"] === undefined && hasNoBody(request)) {
    return new BadRequest({ detail: "The body is missing." })
  }
  if (!isExpected(request, endpoint)) return expected(endpoint)
  return Number(headers["content-length"]) > largest ? tooLarge(largest) : undefined
}

const NO_BODY = Effect.succeed("")

/** How large the body of an endpoint may be. */
export const largestBodyOf = ({ annotations }: HttpApiEndpoint.Top): number => Context.get(annotations, LargestBody)

/** Whether the endpoint takes bytes as they are. */
export const takesBytes = ({ payload }: HttpApiEndpoint.Top): boolean =>
  [...payload.values()].some(({ encoding }) => encoding._tag === "Uint8Array")

const readContent = (
  head: RequestHead,
  endpoint: HttpApiEndpoint.Top,
  body: Body
): Effect.Effect<string | Uint8Array, BadRequest | PayloadTooLarge | UnsupportedMediaType> => {
  if (endpoint.payload.size === 0) return NO_BODY
  const largest = largestBodyOf(endpoint)
  const fault = checkHead(head, endpoint, largest)
  if (fault !== undefined) return Effect.fail(fault)
  if (takesBytes(endpoint)) return body instanceof Uint8Array ? Effect.succeed(body) : body(largest)
  return body instanceof Uint8Array ? textOf(body) : Effect.flatMap(body(largest), textOf)
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
 * Reads a body that is of the endpoint's media type and no larger than the service takes: as bytes where the endpoint takes those, else
 * as UTF-8. Then checks that every
 * percent escape of the path stands for a character. All of it precedes decoding (spec: http#order-of-checks).
 */
export const checkPreconditions = (head: RequestHead, endpoint: HttpApiEndpoint.Top, body: Body) =>
  Effect.flatMapEager(readContent(head, endpoint, body), (content) =>
    isDecodable(head.url)
      ? Effect.succeed(content)
      : Effect.fail(new BadRequest({ detail: "A percent escape in the path is malformed." }))
  )
