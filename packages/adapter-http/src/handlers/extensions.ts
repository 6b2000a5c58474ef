import {
  AccountLinks,
  Administrators,
  type DeletionRequest,
  DeletionRequests,
  Organizations,
  StayPolicies
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CurrentOperator, CurrentUser, SojournApi } from "../api/index.ts"
import { ServiceUnavailable } from "../api/refusals.ts"
import { listed } from "./listed.ts"
import { toWireOrganization } from "./organization.ts"
import { Readiness } from "./Readiness.ts"
import { refuse } from "./refuse.ts"

const toWire = ({ reason, ...rest }: DeletionRequest) => ({ ...rest, requestReason: reason })

const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    readonly [Name in keyof Fields]: Exclude<Fields[Name], null>
  }

export const layerOperator = HttpApiBuilder.group(
  SojournApi,
  "operator",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const administrators = yield* Administrators
    const deletionRequests = yield* DeletionRequests
    const stayPolicies = yield* StayPolicies
    return handlers
      .handle("createOrganization", ({ payload: { owner, ...draft } }) =>
        Effect.flatMap(CurrentOperator, (operator) => organizations.create(operator, withoutNulls(draft), owner)).pipe(
          Effect.map(toWireOrganization),
          refuse()
        )
      )
      .handle("constrainOrganization", ({ params: { organizationId }, payload }) =>
        Effect.flatMap(CurrentOperator, (operator) =>
          organizations.constrain(operator, organizationId, payload.maxArea ?? undefined)
        ).pipe(
          Effect.map(({ maxArea }) => ({ organizationId, maxArea })),
          refuse()
        )
      )
      .handle("readStayPolicy", ({ params: { organizationId } }) =>
        Effect.flatMap(CurrentOperator, (operator) => stayPolicies.get(operator, organizationId)).pipe(
          Effect.map((policy) => ({ organizationId, ...policy })),
          refuse()
        )
      )
      .handle("changeStayPolicy", ({ params: { organizationId }, payload }) =>
        Effect.flatMap(CurrentOperator, (operator) => stayPolicies.change(operator, organizationId, payload)).pipe(
          Effect.map((policy) => ({ organizationId, ...policy })),
          refuse()
        )
      )
      .handle("registerAdministrator", ({ payload }) =>
        Effect.flatMap(CurrentOperator, (operator) => administrators.register(operator, payload)).pipe(
          Effect.as(payload),
          refuse()
        )
      )
      .handle("listDeletionRequests", ({ query }) =>
        Effect.flatMap(CurrentOperator, (operator) =>
          deletionRequests.list(operator, Option.fromUndefinedOr(query.status))
        ).pipe(listed(toWire), refuse())
      )
      .handle("approveDeletionRequest", ({ params }) =>
        Effect.flatMap(CurrentOperator, (operator) => deletionRequests.approve(operator, params.id)).pipe(
          Effect.asVoid,
          refuse()
        )
      )
      .handle("rejectDeletionRequest", ({ params }) =>
        Effect.flatMap(CurrentOperator, (operator) => deletionRequests.reject(operator, params.id)).pipe(
          Effect.asVoid,
          refuse()
        )
      )
  })
)

export const layerAccountLink = HttpApiBuilder.group(
  SojournApi,
  "accountlink",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* AccountLinks
    return handlers
      .handle("link", ({ payload: { organizationId, username, password } }) =>
        Effect.flatMap(CurrentUser, (user) =>
          links.link(user, organizationId, { username, password: Redacted.make(password) })
        ).pipe(
          Effect.map(({ orgAuthServerId }) => ({ organizationId, orgAuthServerId })),
          refuse()
        )
      )
      .handle("unlink", ({ params }) =>
        Effect.flatMap(CurrentUser, (user) => links.unlink(user, params.organizationId)).pipe(refuse())
      )
  })
)

export const layerHealth = HttpApiBuilder.group(
  SojournApi,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const readiness = yield* Readiness
    return handlers
      .handle("live", () => Effect.succeed({ status: "up" as const }))
      .handle("ready", () =>
        Effect.flatMap(readiness, (isReady) =>
          isReady
            ? Effect.succeed({ status: "up" as const })
            : Effect.fail(new ServiceUnavailable({ detail: "The server does not take requests now." }))
        )
      )
  })
)
