import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { SojournApi } from "./api/index.ts"
import type { Answer } from "./pipeline/answer.ts"

const PATH = "/docs"

/** The page loads nothing from elsewhere: its fonts are the system's, and no button offers to share the document. */
const OFFLINE = { withDefaultFonts: false, showDeveloperTools: "never" } as const

/** A page to read and try the interface. Making it reads three megabytes of script, so it is made when it is first asked for. */
export const docsPage: Effect.Effect<Answer> = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  yield* Layer.build(HttpApiScalar.layer(SojournApi, { path: PATH, scalar: OFFLINE })).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router)
  )
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${PATH}`))
  const { status, headers, body } = yield* Effect.provideService(
    router.asHttpEffect(),
    HttpServerRequest.HttpServerRequest,
    request
  )
  return { status, headers: { ...headers }, body: body as Answer["body"] }
}).pipe(Effect.scoped, Effect.orDie, Effect.uninterruptible)
