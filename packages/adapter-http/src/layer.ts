/** Composes the interface: handlers, admission and routes become one dispatcher, which the drivers share. */
import { Administrators } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import { asyncApi } from "./api/feed/asyncApi.ts"
import { SojournApi } from "./api/index.ts"
import { docsPage } from "./docs/docsPage.ts"
import { accessHandlers } from "./handlers/stays/access.ts"
import { administratorHandlers } from "./handlers/accounts/administrator.ts"
import { authenticationHandlers } from "./handlers/accounts/authentication.ts"
import { capacityHandlers } from "./handlers/feed/capacity.ts"
import { countedHandlers, deviceHandlers } from "./handlers/devices/device.ts"
import { accountLinkHandlers } from "./handlers/accounts/accountLink.ts"
import { healthHandlers } from "./handlers/shared/health.ts"
import { operatorHandlers } from "./handlers/organizations/operator.ts"
import { favoriteHandlers } from "./handlers/organizations/favorite.ts"
import { floorPlanHandlers } from "./handlers/floorplans/floorPlan.ts"
import { auditHandlers, operatorAuditHandlers } from "./handlers/audit/audit.ts"
import { importHandlers } from "./handlers/imports/imports.ts"
import { historyHandlers } from "./handlers/history/history.ts"
import { movementHandlers } from "./handlers/stays/movement.ts"
import { musterHandlers } from "./handlers/musters/muster.ts"
import { organizationHandlers } from "./handlers/organizations/organization.ts"
import { personalDataHandlers } from "./handlers/personalData/personalData.ts"
import { placeHandlers } from "./handlers/organizations/place.ts"
import { authenticationServerHandlers } from "./handlers/accounts/authenticationServer.ts"
import { stayEndingHandlers } from "./handlers/stays/ending.ts"
import { presenceHandlers } from "./handlers/stays/counter.ts"
import { reportHandlers } from "./handlers/stays/report.ts"
import { windowHandlers } from "./handlers/stays/window.ts"
import { refuse, registerStoreFailures } from "./handlers/shared/refuse.ts"
import { webhookHandlers } from "./handlers/webhooks/webhook.ts"
import { makeMetricsText, MetricsText } from "./metricsText.ts"
import { layerOverloadLog } from "./pipeline/overload.ts"
import { streamHandlers } from "./handlers/feed/stream.ts"
import { Admission } from "./pipeline/admission.ts"
import { type Answer, problem } from "./pipeline/answer.ts"
import { Dispatcher, makeDispatcher } from "./pipeline/dispatcher.ts"
import { type CompiledEndpoint, compileEndpoint, type GroupHandlers } from "./pipeline/endpoint.ts"
import type { RequestHead } from "./pipeline/requestHead.ts"
import { staticContent } from "./pipeline/staticContent.ts"
import { registerLimited } from "./pipeline/requestMetrics.ts"
import { PresenceHub } from "./presence/PresenceHub.ts"

/** A path of your own beside the interface, without authentication. */
export interface ExtraRoute {
  readonly method: string
  /** From the first slash, compared exactly; `:name` matches one segment of any text. */
  readonly path: string
  /** The answer to a request, with the segments that vary by their names. */
  readonly answer: (head: RequestHead, params: Readonly<Record<string, string>>) => Effect.Effect<Answer>
}

export interface Options {
  /** Origins whose pages may call. None: CORS is off. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Paths that are answered beside the interface; every other path is 404. */
  readonly extraRoutes?: ReadonlyArray<ExtraRoute>
  /** Whether a request may read `/metrics`, which is 404 otherwise; every one may, by default. */
  readonly mayReadMetrics?: (head: RequestHead) => boolean
}

type Groups = (typeof SojournApi)["groups"]

/** The handlers of the whole definition: a group or an endpoint without one does not compile. */
const handlers = Effect.all({
  organization: organizationHandlers,
  administrator: administratorHandlers,
  access: accessHandlers,
  place: placeHandlers,
  favorite: favoriteHandlers,
  movement: movementHandlers,
  presence: presenceHandlers,
  stream: streamHandlers,
  capacity: capacityHandlers,
  muster: musterHandlers,
  authenticationserver: authenticationServerHandlers,
  report: reportHandlers,
  window: windowHandlers,
  ending: stayEndingHandlers,
  history: historyHandlers,
  floorplan: floorPlanHandlers,
  device: deviceHandlers,
  counted: countedHandlers,
  import: importHandlers,
  operator: operatorHandlers,
  personaldata: personalDataHandlers,
  audit: auditHandlers,
  operatoraudit: operatorAuditHandlers,
  accountlink: accountLinkHandlers,
  authentication: authenticationHandlers,
  webhook: webhookHandlers,
  health: healthHandlers
} satisfies { readonly [Name in keyof Groups]: Effect.Effect<GroupHandlers<Groups[Name]>, never, unknown> })

type AnyHandler = (request: never) => Effect.Effect<unknown, unknown>

const compiled = Effect.gen(function* () {
  const admission = yield* Admission
  const byGroup = (yield* handlers) as unknown as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>
  const endpoints: Array<CompiledEndpoint> = []
  HttpApi.reflect(SojournApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) =>
      endpoints.push(compileEndpoint(endpoint, byGroup[group.identifier]![endpoint.identifier]!, admission))
  })
  return endpoints
})

/** The OpenAPI and the AsyncAPI document, the page to read and try the interface, and Prometheus metrics. */
const ownRoutes = Effect.fnUntraced(function* (mayReadMetrics: (head: RequestHead) => boolean) {
  const metrics = makeMetricsText(yield* MetricsText)
  const document = () => OpenApi.fromApi(SojournApi)
  const docs = yield* Effect.cached(docsPage)
  const json = (make: () => object) =>
    Effect.cached(Effect.suspend(() => staticContent(JSON.stringify(make()), "application/json")))
  const openApi = yield* json(document)
  const ofStream = yield* json(() => asyncApi(document()))
  const answered =
    (content: typeof openApi): ExtraRoute["answer"] =>
    (head) =>
      Effect.map(content, (answer) => answer(head))
  return [
    { method: "GET", path: "/openapi.json", answer: answered(openApi) },
    { method: "GET", path: "/asyncapi.json", answer: answered(ofStream) },
    { method: "GET", path: "/docs", answer: answered(docs) },
    {
      method: "GET",
      path: "/metrics",
      answer: (head) =>
        mayReadMetrics(head) ? metrics : Effect.succeed(problem(404, "There is nothing at this path."))
    }
  ] satisfies ReadonlyArray<ExtraRoute>
})

const layerAdmission = Layer.unwrap(
  Effect.map(Administrators, ({ recordSignIn }) => Admission.layer((caller) => refuse()(recordSignIn(caller))))
)

/**
 * The dispatcher of the whole interface: its endpoints on core's use cases and an `Authenticator`, the OpenAPI document at
 * `/openapi.json`, the AsyncAPI document of the presence stream at `/asyncapi.json`, a page to read and try it at `/docs`, and Prometheus metrics at `/metrics`. A driver feeds it:
 * `makeNodeListener` or `makeWebHandler`.
 */
export const layerDispatcher = ({ corsOrigins = [], extraRoutes = [], mayReadMetrics = () => true }: Options = {}) =>
  Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      registerLimited()
      registerStoreFailures()
      const routes = [...(yield* ownRoutes(mayReadMetrics)), ...extraRoutes]
      return yield* makeDispatcher({ endpoints: [...(yield* compiled), ...routes], corsOrigins })
    })
  ).pipe(Layer.provide(PresenceHub.layer), Layer.provide([layerAdmission, layerOverloadLog]))
