/** Answers with content that is the same for all callers, such as the OpenAPI document and the pages; entity tags. */
import * as Effect from "effect/Effect"
import { type Answer, bytes, empty, weightOf } from "./answer.ts"
import type { RequestHead } from "./requestHead.ts"

/** A tag of the content, by its SHA-256. */
export const tagOf = async (content: Uint8Array): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>))
  return `"${Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`
}

/** Whether `If-None-Match` names the tag, or anything where it says `*`. */
export const hasTag = (known: string | undefined, tag: string): boolean =>
  known?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag) ?? false

/**
 * Whether a client prefers gzip (RFC 9110, section 12.5.3): `*` is about codings that are not named, and `x-gzip` is the same coding. One
 * that takes neither gzip nor the content as it is gets the latter.
 */
export const prefersGzip = (accepted = ""): boolean => {
  const others = weightOf(accepted, "*")
  const gzip = weightOf(accepted, "gzip") ?? weightOf(accepted, "x-gzip") ?? others ?? 0
  return gzip > 0 && gzip >= (weightOf(accepted, "identity") ?? 0)
}

const gzip = (content: string): Promise<Uint8Array> =>
  new Response(new Blob([content]).stream().pipeThrough(new CompressionStream("gzip"))).bytes()

/**
 * Prepares a text that is the same for all callers: compressed for clients that take gzip, and 304 to those that have it. Caches have
 * to revalidate it, unless `headers` allow more.
 */
export const staticContent = (
  content: string,
  contentType: string,
  headers: Answer["headers"] = {}
): Effect.Effect<(head: RequestHead) => Answer> =>
  Effect.promise(async () => {
    const variant = async (body: Uint8Array, encoding: Answer["headers"]) => {
      const etag = await tagOf(body)
      const common = { "cache-control": "no-cache", vary: "accept-encoding", etag, ...headers }
      return { etag, whole: bytes(body, contentType, { ...common, ...encoding }), unchanged: empty(304, common) }
    }
    const identity = await variant(new TextEncoder().encode(content), {})
    const packed = await variant(await gzip(content), { "content-encoding": "gzip" })
    return (head: RequestHead) => {
      const { etag, whole, unchanged } = prefersGzip(head.headers["accept-encoding"]) ? packed : identity
      return hasTag(head.headers["if-none-match"], etag) ? unchanged : whole
    }
  }).pipe(Effect.uninterruptible)
