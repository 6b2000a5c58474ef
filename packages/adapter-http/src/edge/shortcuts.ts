import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { unhandled } from "effect/Types"
import type { Shortcut } from "../handlers/shortcut.ts"

/** Answers what has a shortcut before the router looks for it. A URL that is not the very path goes its usual way. */
export const layerShortcuts = <E, R>(shortcuts: Effect.Effect<ReadonlyArray<Shortcut>, E, R>) =>
  HttpRouter.middleware(
    Effect.map(shortcuts, (shortcuts) => {
      const byPath = new Map(shortcuts.map((shortcut) => [shortcut.path, shortcut]))
      return (app) =>
        Effect.withFiber<HttpServerResponse, unhandled, HttpServerRequest>((fiber) => {
          const request = Context.getUnsafe(fiber.context, HttpServerRequest)
          const found = byPath.get(request.url)
          return found?.method === request.method ? found.answer : app
        })
    }),
    { global: true }
  )
