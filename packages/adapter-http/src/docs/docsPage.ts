/** The page on which the interface is read and tried, made at the first request. It loads nothing: style and script are inlined. */
import * as Effect from "effect/Effect"
import type { Answer } from "../pipeline/answer.ts"
import type { RequestHead } from "../pipeline/requestHead.ts"
import { staticContent } from "../pipeline/staticContent.ts"
import { type Document, renderDocument } from "./render.ts"
import { style } from "./style.ts"
import { tryOperations } from "./tryOperations.ts"

const script = `(${tryOperations.toString()})()`

/** The source expression of an inlined text in a Content-Security-Policy. */
const hashOf = async (text: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

const headersOf = async (): Promise<Answer["headers"]> => ({
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${await hashOf(script)}`,
    `style-src ${await hashOf(style)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer"
})

/** Prepares the page of an OpenAPI document. */
export const docsPage = (document: Document): Effect.Effect<(head: RequestHead) => Answer> =>
  Effect.flatMap(Effect.promise(headersOf), (headers) =>
    staticContent(renderDocument(document, { style, script }), "text/html; charset=utf-8", headers)
  ).pipe(Effect.uninterruptible)
