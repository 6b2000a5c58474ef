import * as ByteSize from "effect/ByteSize"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { unhandled } from "effect/Types"
import { failureOf } from "../failure.ts"
import { LARGEST_BODY } from "../handlers/body.ts"
import { isDecodable } from "../handlers/envelope.ts"
import { finish, problem } from "./answer.ts"
import { fieldLineFault } from "./fieldLines.ts"
import { type ExtraRoute, type Route, collectRoutes, findRoute } from "./Routes.ts"
import { makeWatch } from "./Watch.ts"

/**
 * The URL as the router understands it. A semicolon is a character of the path like any other, and not the beginning of a
 * query; an escape that stands for nothing is a malformed request, which is said after the credentials, and not a 404.
 */
const routable = (url: string): string => {
  if (!/[;#%]/.test(url)) return url
  const end = url.includes("?") ? url.indexOf("?") : url.length
  const path = isDecodable(url) ? url.slice(0, end) : url.slice(0, end).replaceAll("%", "%25")
  return path.replaceAll(";", "%3B").replaceAll("#", "%23") + url.slice(end)
}

export interface EdgeOptions {
  /** Paths that are answered beside the interface. */
  readonly extraRoutes: ReadonlyArray<ExtraRoute>
  /** Are other origins served? Then OPTIONS asks for leave, and is no wrong method. */
  readonly cors: boolean
}

/**
 * What every request passes first and every answer last: the request id, the exact route (404, or 405 with `Allow`), the
 * largest body, errors as the client asked for them, and a log line for what is our own failure.
 */
export const layerEdge = ({ extraRoutes, cors }: EdgeOptions) => {
  const routes = collectRoutes(extraRoutes)
  const largestBody = ByteSize.bytes(LARGEST_BODY)

  /** What is answered before anybody is asked who calls. */
  const refuse = (request: HttpServerRequest.HttpServerRequest, route: Route | undefined) => {
    const fault = fieldLineFault(request)
    if (fault !== undefined) return problem(400, fault)
    if (route === undefined) return problem(404, "There is nothing at this path.")
    if (route.methods.has(request.method) || (cors && request.method === "OPTIONS")) return undefined
    const allow = [...route.methods].join(", ")
    return HttpServerResponse.setHeader(problem(405, `This path answers ${allow}.`), "allow", allow)
  }

  const withWatch = Effect.map(
    makeWatch,
    (watch) => (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled>) =>
      Effect.withFiber<HttpServerResponse.HttpServerResponse, unhandled, HttpServerRequest.HttpServerRequest>(
        (fiber) => {
          const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          const route = findRoute(routes, request.url)
          const watched = watch.begin(request, route?.template ?? "none", performance.now())
          HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (answered, response) => {
            watch.answered(watched, response.status)
            return Effect.succeed(finish(answered, watched.requestId, response))
          })
          const refused = refuse(request, route)
          if (refused !== undefined) return Effect.succeed(refused)
          // The request has a fiber of its own: what is set here ends with it.
          let context = watch.contextFor(watched, fiber.context)
          context = Context.add(context, HttpIncomingMessage.MaxBodySize, largestBody)
          const url = routable(request.url)
          if (url !== request.url) {
            context = Context.add(context, HttpServerRequest.HttpServerRequest, request.modify({ url }))
          }
          fiber.setContext(context)
          return Effect.tapCause(app, (cause) =>
            Effect.sync(() => {
              watched.failure ??= failureOf(cause)
            })
          )
        }
      )
  )
  return HttpRouter.middleware(withWatch, { global: true })
}
