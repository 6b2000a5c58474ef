/** Answers the groups of `api/extensions.ts`: operators, linking an account, and health. */
import {
  AccountLinks,
  Administrators,
  type DeletionRequest,
  DeletionRequests,
  Organizations,
  StayPolicies
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountLinkGroup, HealthGroup, OperatorGroup } from "../api/extensions.ts"
import { ServiceUnavailable } from "../api/refusals.ts"
import { VERSION } from "../api/version.ts"
import type { GroupHandlers } from "../pipeline/endpoint.ts"
import { listed } from "./listed.ts"
import { toWireOrganization } from "./organization.ts"
import { Readiness } from "./readiness.ts"
import { refuse } from "./refuse.ts"

const toWire = ({ reason, ...rest }: DeletionRequest) => ({ ...rest, requestReason: reason })

const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    readonly [Name in keyof Fields]: Exclude<Fields[Name], null>
  }

/** The handlers of the endpoints for operators (contract, section 9). */
export const operatorHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations
  const administrators = yield* Administrators
  const deletionRequests = yield* DeletionRequests
  const stayPolicies = yield* StayPolicies
  const handlers: GroupHandlers<typeof OperatorGroup> = {
    createOrganization: ({ caller, payload: { owner, ...draft } }) =>
      organizations.create(caller, withoutNulls(draft), owner).pipe(Effect.map(toWireOrganization), refuse()),
    constrainOrganization: ({ caller, params: { organizationId }, payload }) =>
      organizations.constrain(caller, organizationId, payload.maxArea ?? undefined).pipe(
        Effect.map(({ maxArea }) => ({ organizationId, maxArea })),
        refuse()
      ),
    readStayPolicy: ({ caller, params: { organizationId } }) =>
      stayPolicies.get(caller, organizationId).pipe(
        Effect.map((policy) => ({ organizationId, ...policy })),
        refuse()
      ),
    changeStayPolicy: ({ caller, params: { organizationId }, payload }) =>
      stayPolicies.change(caller, organizationId, payload).pipe(
        Effect.map((policy) => ({ organizationId, ...policy })),
        refuse()
      ),
    registerAdministrator: ({ caller, payload }) =>
      administrators.register(caller, payload).pipe(Effect.as(payload), refuse()),
    listDeletionRequests: ({ caller, query }) =>
      deletionRequests.list(caller, Option.fromUndefinedOr(query.status)).pipe(listed(toWire), refuse()),
    approveDeletionRequest: ({ caller, params }) =>
      deletionRequests.approve(caller, params.id).pipe(Effect.asVoid, refuse()),
    rejectDeletionRequest: ({ caller, params }) =>
      deletionRequests.reject(caller, params.id).pipe(Effect.asVoid, refuse())
  }
  return handlers
})

/** Answers the endpoints for linking an account (contract, section 8). */
export const accountLinkHandlers = Effect.map(AccountLinks, (links): GroupHandlers<typeof AccountLinkGroup> => ({
  link: ({ caller, payload: { organizationId, username, password } }) =>
    links.link(caller, organizationId, { username, password: Redacted.make(password) }).pipe(
      Effect.map(({ orgAuthServerId }) => ({ organizationId, orgAuthServerId })),
      refuse()
    ),
  unlink: ({ caller, params }) => refuse()(links.unlink(caller, params.organizationId))
}))

const UP = { status: "up", version: VERSION } as const

/** Answers the endpoints for the server's health (contract, section 9). */
export const healthHandlers = Effect.map(Readiness, (readiness): GroupHandlers<typeof HealthGroup> => ({
  live: () => Effect.succeed(UP),
  ready: () =>
    Effect.flatMap(readiness, (isReady) =>
      isReady
        ? Effect.succeed(UP)
        : Effect.fail(new ServiceUnavailable({ detail: "The server does not take requests now." }))
    )
}))
