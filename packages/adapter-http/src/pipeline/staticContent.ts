/** Answers with content that is the same for all callers, such as the OpenAPI document and the pages. */
import * as Effect from "effect/Effect"
import { type Answer, bytes, empty } from "./answer.ts"
import { hasTag, tagOf } from "./entityTag.ts"
import type { RequestHead } from "./requestHead.ts"

/** Whether a client takes gzip: named, or by `*`, and not with a weight of 0. */
const takesGzip = (accepted: string | undefined): boolean =>
  accepted?.split(",").some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one)) ?? false

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
      const { etag, whole, unchanged } = takesGzip(head.headers["accept-encoding"]) ? packed : identity
      return hasTag(head.headers["if-none-match"], etag) ? unchanged : whole
    }
  }).pipe(Effect.uninterruptible)
