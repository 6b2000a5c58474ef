/** Answers the endpoints of `api/organizations/operator.ts`. */
import { Administrators, DeletionRequests, Organizations, StayPolicies } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OperatorGroup } from "../../api/organizations/operator.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"
import { withoutNulls } from "../shared/withoutNulls.ts"
import { toWireDeletionRequest, toWireOrganization } from "./organization.ts"

/** The handlers of the endpoints for operators (spec: http#extensions). */
export const operatorHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations
  const administrators = yield* Administrators
  const deletionRequests = yield* DeletionRequests
  const stayPolicies = yield* StayPolicies
  const handlers: GroupHandlers<typeof OperatorGroup> = {
    createOrganization: ({ caller, payload: { owner, ...draft } }) =>
      organizations.create(caller, withoutNulls(draft), owner).pipe(Effect.map(toWireOrganization), refuse()),
    readOrganization: ({ caller, params }) =>
      organizations.get(caller, params.organizationId).pipe(Effect.map(toWireOrganization), refuse()),
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
      deletionRequests.list(caller, Option.fromUndefinedOr(query.status)).pipe(listed(toWireDeletionRequest), refuse()),
    approveDeletionRequest: ({ caller, params }) =>
      deletionRequests.approve(caller, params.id).pipe(Effect.asVoid, refuse()),
    rejectDeletionRequest: ({ caller, params }) =>
      deletionRequests.reject(caller, params.id).pipe(Effect.asVoid, refuse())
  }
  return handlers
})
