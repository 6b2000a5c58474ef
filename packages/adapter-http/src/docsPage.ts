/** The page on which the interface is read and tried. Making it reads three megabytes of script, so it is made at the first request. */
import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { SojournApi } from "./api/index.ts"
import type { Answer } from "./pipeline/answer.ts"
import type { RequestHead } from "./pipeline/requestHead.ts"
import { staticContent } from "./pipeline/staticContent.ts"

const PATH = "/docs"

/**
 * The page loads nothing from elsewhere: its fonts are the system's, and no button offers to share the document. Requests that are
 * tried carry a bearer token.
 */
const OPTIONS = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
} as const

export const docsPage: Effect.Effect<(head: RequestHead) => Answer> = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  yield* Layer.build(HttpApiScalar.layer(SojournApi, { path: PATH, scalar: OPTIONS })).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router)
  )
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${PATH}`))
  const { body } = yield* Effect.provideService(router.asHttpEffect(), HttpServerRequest.HttpServerRequest, request)
  const { contentType, body: content } = body as HttpBody.Uint8Array
  return yield* staticContent(new TextDecoder().decode(content), contentType)
}).pipe(Effect.scoped, Effect.orDie, Effect.uninterruptible)
