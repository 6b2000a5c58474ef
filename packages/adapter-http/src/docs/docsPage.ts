/** The page on which the interface is read and tried: Scalar, inlined. It is made at the first request, and loads nothing. */
import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"
import { SojournApi } from "../api/index.ts"
import type { Answer } from "../pipeline/answer.ts"
import type { RequestHead } from "../pipeline/requestHead.ts"
import { staticContent } from "../pipeline/staticContent.ts"

/** Nothing of it may ask another server; Effect's types lack the last ones. */
const scalar = {
  withDefaultFonts: false,
  showOperationId: true,
  authentication: { preferredSecurityScheme: "bearer" },
  favicon: "data:,",
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true
} satisfies HttpApiScalar.ScalarConfig & Record<string, unknown>

const render = async (): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(HttpApiScalar.layer(SojournApi, { scalar }), {
    disableLogger: true
  })
  try {
    return await (await handler(new Request("http://localhost/docs"))).text()
  } finally {
    await dispose()
  }
}

/** The source expressions of the inlined scripts in a Content-Security-Policy. */
const hashesOf = (html: string): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), async ([, script]) => {
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)))
      return `'sha256-${btoa(String.fromCharCode(...digest))}'`
    })
  )

/** Styles are those that the script makes. */
const headersOf = async (html: string): Promise<Answer["headers"]> => ({
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${(await hashesOf(html)).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer"
})

/** Prepares the page. */
export const docsPage: Effect.Effect<(head: RequestHead) => Answer> = Effect.gen(function* () {
  const html = yield* Effect.promise(render)
  const headers = yield* Effect.promise(() => headersOf(html))
  return yield* staticContent(html, "text/html; charset=utf-8", headers)
}).pipe(Effect.uninterruptible)
