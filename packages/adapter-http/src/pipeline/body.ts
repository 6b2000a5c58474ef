/** The body of a request, for both drivers: its largest size, its refusals, and its decoding. */
import * as Effect from "effect/Effect"
import { BadRequest, PayloadTooLarge } from "../api/shared/refusals.ts"

/** The body of a request: its bytes, or the effect that reads them after admission. */
export type Body = Uint8Array | Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge>

/** How large a body may be, in bytes. */
export const LARGEST_BODY = 1024 * 1024

export const tooLarge = () => new PayloadTooLarge({ detail: `A body holds at most ${LARGEST_BODY} bytes.` })

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
