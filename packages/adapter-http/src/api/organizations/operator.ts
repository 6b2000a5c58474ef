/** The endpoints for operators: organizations, administrators, stay policies and deletion requests. */
import { DeletionRequestStatus } from "@sojourn/core"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireAccount, WireOperatorBinding, WirePermission } from "../../wire/accounts/administrator.ts"
import { WireRevocation } from "../../wire/accounts/signIn.ts"
import {
  WireAreaConstraint,
  WireDeletionRequest,
  WireOrganization,
  WireOrganizationConstraint,
  WireOrganizationDraft,
  WireOrganizationPage
} from "../../wire/organizations/organization.ts"
import { WireStayPolicy, WireStayPolicyChange } from "../../wire/policies/policy.ts"
import { PathDeletionRequestId, PathOrganizationId, QueryLimit } from "../../wire/shared/fields.ts"
import { Operators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const badRequest = [Refusals.badRequest, Refusals.serviceUnavailable] as const
const decision = {
  params: { id: PathDeletionRequestId },
  success: HttpApiSchema.NoContent,
  error: [Refusals.notFound, Refusals.conflict, Refusals.serviceUnavailable] as const
}

/** The work of the service's own administrators (spec: http#extensions): an extension of the interface. */
export class OperatorGroup extends HttpApiGroup.make("operator")
  .annotate(OpenApi.Description, "The work of the service's own administrators.")
  .add(
    HttpApiEndpoint.post("createOrganization", "/operator/organization", {
      payload: WireOrganizationDraft,
      success: WireOrganization.pipe(HttpApiSchema.status(201)),
      error: badRequest
    })
      .annotate(OpenApi.Summary, "Create an organization with its first owner")
      .annotate(
        OpenApi.Description,
        "For operators. The owner's account is registered if there is none. Without an administratorId the owner is who has proved the mail address, or the first who does: an invitation."
      ),
    HttpApiEndpoint.get("listOrganizations", "/operator/organization", {
      query: { after: Schema.optional(PathOrganizationId), limit: Schema.optional(QueryLimit) },
      success: [WireOrganizationPage, EmptyList],
      error: badRequest
    })
      .annotate(OpenApi.Summary, "List all organizations with their numbers")
      .annotate(
        OpenApi.Description,
        "For operators, oldest first: how many places, administrators and people inside each has. At most `limit` of them, 100 by default; fewer where their tracking areas are long. `next` is the `after` of the next page. Inside are the open stays and the people counted, of the organization itself, or of its outermost places together where they have more. 204 when there is none."
      ),
    HttpApiEndpoint.get("readOrganization", "/operator/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganization,
      error: [Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Read an organization as an operator")
      .annotate(OpenApi.Description, "For operators, who see its name before they decide about it."),
    HttpApiEndpoint.post("bindAdministrator", "/operator/organization/:organizationId/administrator", {
      params: { organizationId: PathOrganizationId },
      payload: WireOperatorBinding,
      success: WirePermission.pipe(HttpApiSchema.status(201)),
      error: [Refusals.badRequest, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Bind an administrator to an organization as an operator")
      .annotate(
        OpenApi.Description,
        "For operators: a way back for an organization whose owners are gone. The administrator has an account, and is named by id, by mail address, or by both. They count as nominated by themselves."
      ),
    HttpApiEndpoint.put("constrainOrganization", "/operator/organization/:organizationId/constraint", {
      params: { organizationId: PathOrganizationId },
      payload: WireAreaConstraint,
      success: WireOrganizationConstraint,
      error: [Refusals.badRequest, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Set the largest area of an organization")
      .annotate(OpenApi.Description, "For operators, in square metres; `null` lifts it."),
    HttpApiEndpoint.get("readStayPolicy", "/operator/organization/:organizationId/policy", {
      params: { organizationId: PathOrganizationId },
      success: WireStayPolicy,
      error: [Refusals.badRequest, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Read the stay policy of an organization")
      .annotate(OpenApi.Description, "For operators, in seconds; what is left out has no bound."),
    HttpApiEndpoint.put("changeStayPolicy", "/operator/organization/:organizationId/policy", {
      params: { organizationId: PathOrganizationId },
      payload: WireStayPolicyChange,
      success: WireStayPolicy,
      error: [Refusals.badRequest, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Change the stay policy of an organization")
      .annotate(
        OpenApi.Description,
        "For operators, in seconds. `null` lifts a bound, and what is left out stays; one of them is there. Stays that are open for longer are abandoned, and accesses whose exit lies further back are forgotten: both for good. Events of some premises are at least `eventGrain` seconds apart. From 2 seconds on it is the publishing interval of an anonymous organization: its events of presence and capacity come at multiples of it since the Unix epoch, and counters, capacities, histories, snapshots and musters answer what the last event said. Steps of an anonymous organization's history with fewer exits than `smallestCount` have no average stay, nor has the running step: 5 by default, and 1 lifts both. `countedResetAt` and `staysEndAt` are local times of the organization's `timeZone`, UTC by default: once a day the people counted become 0, and all open stays are abandoned."
      ),
    HttpApiEndpoint.post("registerAdministrator", "/operator/administrator", {
      payload: WireAccount,
      success: WireAccount.pipe(HttpApiSchema.status(201)),
      error: badRequest
    })
      .annotate(OpenApi.Summary, "Register an administrator's account")
      .annotate(OpenApi.Description, "For operators."),
    HttpApiEndpoint.post("revokeTokens", "/operator/token/revoke", {
      payload: WireRevocation,
      success: HttpApiSchema.NoContent,
      error: badRequest
    })
      .annotate(OpenApi.Summary, "Revoke the tokens of a caller")
      .annotate(
        OpenApi.Description,
        "For operators: the tokens of this caller that were issued before `issuedBefore` by their `iat`, or have none, are refused within 2 seconds, by every server and stream, whoever issued them. It is now, unless it is sent, and at most 5 minutes ahead; of several the latest counts. The id is the service's: with the `subjectPrefix` of its issuer. Without `issuedBefore` the answer comes after at most a second: a token that is issued after it works. Devices are removed instead."
      ),
    HttpApiEndpoint.get("listDeletionRequests", "/operator/deletionrequest", {
      query: { status: Schema.optional(DeletionRequestStatus) },
      success: [Schema.Array(WireDeletionRequest), EmptyList],
      error: badRequest
    })
      .annotate(OpenApi.Summary, "List deletion requests")
      .annotate(OpenApi.Description, "For operators, oldest first; of one status, or all. 204 when there is none."),
    HttpApiEndpoint.post("approveDeletionRequest", "/operator/deletionrequest/:id/approve", decision)
      .annotate(OpenApi.Summary, "Approve a deletion request")
      .annotate(OpenApi.Description, "For operators. The organization ends with everything that belongs to it."),
    HttpApiEndpoint.post("rejectDeletionRequest", "/operator/deletionrequest/:id/reject", decision)
      .annotate(OpenApi.Summary, "Reject a deletion request")
      .annotate(OpenApi.Description, "For operators. The organization stays as it is.")
  )
  .middleware(WellFormed)
  .middleware(Operators)
  .annotate(OpenApi.Title, "operator (extension)") {}
