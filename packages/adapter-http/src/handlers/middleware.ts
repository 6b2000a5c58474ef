import type { Caller } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { unhandled } from "effect/Types"
import {
  Administrators,
  Anybody,
  CurrentAdministrator,
  CurrentCaller,
  CurrentOperator,
  CurrentUser,
  Operators,
  Users,
  UsersAndAdministrators,
  WellFormed
} from "../api/callers.ts"
import { Admission } from "./admission.ts"
import { readText } from "./body.ts"
import { checkBody, checkPath } from "./envelope.ts"
import { malformed, notEncodable } from "./malformed.ts"

/** Admits callers of these kinds, and tells the handler who it is. */
const admitting =
  ({ admit }: Admission["Service"]) =>
  <Id, C extends Caller>(kinds: ReadonlyArray<C["_tag"]>, current: Context.Key<Id, C>) => ({
    bearer: (
      handler: Effect.Effect<HttpServerResponse, unhandled, Id>,
      options: { readonly credential: Redacted.Redacted<string>; readonly endpoint: HttpApiEndpoint.Top }
    ) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(admit(kinds, options.credential, request, options.endpoint, readText(request)), ({ caller }) =>
          Effect.provideService(handler, current, caller as C)
        )
      )
  })

const layerWellFormed = HttpApiMiddleware.layerSchemaErrorTransform(WellFormed, ({ kind, cause }, { endpoint }) =>
  kind === "Body" || kind === "ResponseHeaders"
    ? Effect.die(notEncodable(endpoint, cause.issue))
    : Effect.fail(malformed(cause.issue))
)

const layerAnybody = Layer.succeed(Anybody, (handler, { endpoint }) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* checkBody(request, endpoint, readText(request))
    const fault = checkPath(request)
    return yield* fault ?? handler
  })
)

/** The middlewares that every endpoint of the interface names. */
export const layerMiddleware = Layer.mergeAll(
  Layer.effectContext(
    Effect.map(Admission, (admission) => {
      const callers = admitting(admission)
      return Context.empty().pipe(
        Context.add(Users, callers(["User"], CurrentUser)),
        Context.add(Administrators, callers(["Administrator"], CurrentAdministrator)),
        Context.add(UsersAndAdministrators, callers(["User", "Administrator"], CurrentCaller)),
        Context.add(Operators, callers(["Operator"], CurrentOperator))
      )
    })
  ),
  layerAnybody,
  layerWellFormed
)
