/** Answers the endpoints of `api/organizations/operator.ts`. */
import {
  Administrators,
  callerOf,
  DeletionRequests,
  Organizations,
  StayPolicies,
  TokenRevocations
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OperatorGroup } from "../../api/organizations/operator.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"
import { withoutNulls } from "../shared/withoutNulls.ts"
import { DEFAULT_LIMIT } from "../../wire/shared/fields.ts"
import { toWirePermission } from "../accounts/administrator.ts"
import { toWireDeletionRequest, toWireOrganization } from "./organization.ts"

/** The handlers of the endpoints for operators (spec: http#extensions). */
export const operatorHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations
  const administrators = yield* Administrators
  const deletionRequests = yield* DeletionRequests
  const stayPolicies = yield* StayPolicies
  const revocations = yield* TokenRevocations
  const handlers: GroupHandlers<typeof OperatorGroup> = {
    createOrganization: ({ caller, payload: { owner, ...draft } }) =>
      organizations
        .create(caller, withoutNulls(draft), withoutNulls(owner))
        .pipe(Effect.map(toWireOrganization), refuse()),
    listOrganizations: ({ caller, query: { after, limit = DEFAULT_LIMIT } }) =>
      organizations.overview(caller, { after, limit }).pipe(
        Effect.map(({ items, hasMore }) => {
          const last = items.at(-1)
          if (last === undefined) return undefined
          return {
            organizations: items.map(({ organization, ...numbers }) => ({
              ...toWireOrganization(organization),
              ...numbers
            })),
            next: hasMore ? String(last.organization.id) : undefined
          }
        }),
        refuse()
      ),
    readOrganization: ({ caller, params }) =>
      organizations.get(caller, params.organizationId).pipe(Effect.map(toWireOrganization), refuse()),
    bindAdministrator: ({ caller, params: { organizationId }, payload: { permission, ...administrator } }) =>
      administrators
        .bindByOperator(caller, { organizationId, administrator: withoutNulls(administrator), level: permission })
        .pipe(Effect.map(toWirePermission), refuse()),
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
    revokeTokens: ({ caller, payload: { kind, id, issuedBefore } }) =>
      revocations.revoke(caller, callerOf(kind, id), issuedBefore ?? undefined).pipe(refuse()),
    listDeletionRequests: ({ caller, query }) =>
      deletionRequests.list(caller, Option.fromUndefinedOr(query.status)).pipe(listed(toWireDeletionRequest), refuse()),
    approveDeletionRequest: ({ caller, params }) =>
      deletionRequests.approve(caller, params.id).pipe(Effect.asVoid, refuse()),
    rejectDeletionRequest: ({ caller, params }) =>
      deletionRequests.reject(caller, params.id).pipe(Effect.asVoid, refuse())
  }
  return handlers
})
