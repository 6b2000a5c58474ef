import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import { isHttpServerError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isDecodable, LARGEST_BODY } from "../handlers/envelope.ts"
import { finish, problem } from "./answer.ts"
import { countAnswer } from "./metrics.ts"
import { type ExtraRoute, collectRoutes, findRoute } from "./Routes.ts"

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

/** The client's own request id, or one of ours. */
const requestIdOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const sent = request.headers["x-request-id"]
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : SecureRandom.uuidV4Unsafe()
}

/** What Node tells of a request beside its headers; other platforms tell none of it, and check it themselves. */
interface NodeRequest {
  readonly httpVersion?: string
  readonly rawHeaders?: ReadonlyArray<string>
}

/** A request names one host. HTTP/1.0 may name none. */
const namesItsHost = ({ source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { httpVersion, rawHeaders } = source as NodeRequest
  if (rawHeaders === undefined) return true
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length
  return count === 1 || (count === 0 && httpVersion !== "1.1")
}

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

/** What failed because of the client or its connection is no failure of ours. */
const isOurs = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterruptsOnly(cause) &&
  !cause.reasons.some((reason) => {
    const failure = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isHttpServerError(failure) && failure.reason._tag === "RequestParseError"
  })

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
  return HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = requestIdOf(request)
        const route = findRoute(routes, request.url.split("?", 1)[0] ?? "")
        yield* HttpEffect.appendPreResponseHandler((answered, response) => {
          countAnswer(request.method, route?.template, response.status)
          return Effect.succeed(finish(answered, requestId, response))
        })
        if (!namesItsHost(request)) return problem(400, "A request names one host (RFC 9112, section 3.2).")
        if (route === undefined) return problem(404, "There is nothing at this path.")
        if (!route.methods.has(request.method) && !(cors && request.method === "OPTIONS")) {
          const allow = [...route.methods].join(", ")
          return HttpServerResponse.setHeader(problem(405, `This path answers ${allow}.`), "allow", allow)
        }
        const url = routable(request.url)
        const routed =
          url === request.url
            ? app
            : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
        return yield* routed.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, largestBody),
          Effect.tapCause((cause) => (isOurs(cause) ? Effect.logError("request failed", cause) : Effect.void)),
          Effect.annotateLogs({ requestId, method: request.method, route: route.template })
        )
      }),
    { global: true }
  )
}
