import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as FindMyWay from "effect/http/FindMyWay"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { SojournApi } from "./api/index.ts"
import { EXPOSED_HEADERS } from "./edge/cors.ts"
import { layerEdge } from "./edge/layer.ts"
import type { ExtraRoute } from "./edge/Routes.ts"
import { layerDirect } from "./edge/direct.ts"
import { accessShortcuts, layerAccess } from "./handlers/access.ts"
import { layerAdministrator } from "./handlers/administrator.ts"
import { Admission } from "./handlers/admission.ts"
import { layerAuthentication } from "./handlers/authentication.ts"
import { layerDocs } from "./handlers/docs.ts"
import { layerAccountLink, layerHealth, layerOperator } from "./handlers/extensions.ts"
import { layerFavorite } from "./handlers/favorite.ts"
import { layerMiddleware } from "./handlers/middleware.ts"
import { layerMovement, movementShortcuts } from "./handlers/movement.ts"
import { layerOrganization } from "./handlers/organization.ts"
import { layerPersonalData } from "./handlers/personalData.ts"
import { layerPlace } from "./handlers/place.ts"
import { layerOverloadLog } from "./overload.ts"
import { counterShortcuts, layerAuthenticationServer, layerPresence, layerReport } from "./handlers/reading.ts"

export interface Options {
  /** Origins whose pages may call. None: CORS is off. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Paths that routes of your own answer on the same router; every other path is 404. */
  readonly extraRoutes?: ReadonlyArray<ExtraRoute>
}

/** Every handler of the interface. They need core's use cases and an `Authenticator`. */
export const layerHandlers = Layer.mergeAll(
  layerOrganization,
  layerAdministrator,
  layerAccess,
  layerPlace,
  layerFavorite,
  layerMovement,
  layerPresence,
  layerAuthenticationServer,
  layerReport,
  layerOperator,
  layerPersonalData,
  layerAccountLink,
  layerAuthentication,
  layerHealth
).pipe(Layer.provide(layerMiddleware), Layer.provide(Admission.layer))

const OWN_ROUTES: ReadonlyArray<ExtraRoute> = [
  ["GET", "/openapi.json"],
  ["GET", "/docs"],
  ["GET", "/metrics"]
]

/**
 * The router of the whole interface: the handlers, the OpenAPI document at `/openapi.json`, a page to read and try it at
 * `/docs`, Prometheus metrics at `/metrics`, and the edge that every request passes. Serve it with {@link serve}.
 */
export const layerRoutes = ({ corsOrigins = [], extraRoutes = [] }: Options = {}) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(SojournApi, { openapiPath: "/openapi.json" }).pipe(Layer.provide(layerHandlers)),
    layerDocs,
    PrometheusMetrics.layerHttp({ path: "/metrics" }),
    layerOverloadLog,
    layerDirect(
      Effect.map(Effect.all([movementShortcuts, counterShortcuts, accessShortcuts]), Arr.flatten),
      corsOrigins
    ).pipe(Layer.provide(Admission.layer))
  ).pipe(
    Layer.provide(
      corsOrigins.length === 0
        ? Layer.empty
        : HttpRouter.cors({ allowedOrigins: corsOrigins, exposedHeaders: EXPOSED_HEADERS })
    ),
    Layer.provide(layerEdge({ extraRoutes: [...OWN_ROUTES, ...extraRoutes], cors: corsOrigins.length > 0 }))
  )

/** Paths to the letter, and room in a path for as many identifiers as a request head holds. */
export const routerConfig: Partial<FindMyWay.RouterConfig> = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 64 * 1024
}

/** Effect's own spans of requests stay off: they hold whole URLs, headers and addresses. */
const layerNoOwnSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/**
 * Serves the routes on an `HttpServer`. Effect's own request log stays off, as its spans do: it writes whole paths, and in
 * those of access lists stand exit tokens.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.serve(routes, { routerConfig, disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(layerNoOwnSpans)
  )
