import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { SojournApi } from "../api/index.ts"

const PATH = "/docs"

/** Whoever reads the page tells nobody else of it: its fonts are the system's, and nothing offers to share the document. */
const OFFLINE = { withDefaultFonts: false, showDeveloperTools: "never" } as const

/** Answers the page alone. Building it reads three megabytes of script, which whoever never asks for it does not need. */
const makePage = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  yield* Layer.build(HttpApiScalar.layer(SojournApi, { path: PATH, scalar: OFFLINE })).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router)
  )
  return router.asHttpEffect()
}).pipe(Effect.scoped, Effect.uninterruptible)

/** A page to read and try the interface, made when somebody first asks for it. */
export const layerDocs = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", PATH, Effect.flatten(yield* Effect.cached(makePage)))
  })
)
