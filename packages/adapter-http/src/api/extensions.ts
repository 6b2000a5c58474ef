/** Groups of endpoints beside the published interface: operators, linking an account, and health. */
import { DeletionRequestStatus } from "@sojourn/core"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireAccount } from "../wire/administrator.ts"
import { WireLink, WireLinkRequest } from "../wire/authenticationServer.ts"
import { PathDeletionRequestId, PathOrganizationId } from "../wire/fields.ts"
import {
  WireAreaConstraint,
  WireDeletionRequest,
  WireOrganization,
  WireOrganizationConstraint,
  WireOrganizationDraft
} from "../wire/organization.ts"
import { WireStayPolicy, WireStayPolicyChange } from "../wire/policy.ts"
import { Operators, Users, WellFormed } from "./callers.ts"
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

const badRequest = [Refusals.badRequest, Refusals.serviceUnavailable] as const
const decision = {
  params: { id: PathDeletionRequestId },
  success: HttpApiSchema.NoContent,
  error: [Refusals.notFound, Refusals.conflict, Refusals.serviceUnavailable] as const
}

/** The work of the service's own administrators (contract, section 9): an extension of the interface. */
export const OperatorGroup = HttpApiGroup.make("operator")
  .annotate(OpenApi.Description, "The work of the service's own administrators.")
  .add(
    HttpApiEndpoint.post("createOrganization", "/operator/organization", {
      payload: WireOrganizationDraft,
      success: WireOrganization.pipe(HttpApiSchema.status(201)),
      error: badRequest
    })
      .annotate(OpenApi.Summary, "Create an organization with its first owner")
      .annotate(OpenApi.Description, "For operators. The owner's account is registered if there is none."),
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
        "For operators, in seconds. `null` lifts a bound, and what is left out stays; one of them is there. Stays that are open for longer are abandoned, and accesses whose exit lies further back are forgotten: both for good. Events of some premises are at least `eventGrain` seconds apart. From 2 seconds on it is the publishing interval of an anonymous organization: its events of presence and capacity come at multiples of it since the Unix epoch, and counters, capacities, histories, snapshots and musters answer what the last event said. Steps of an anonymous organization's history with fewer exits than `smallestCount` have no average stay, nor has the running step: 5 by default, and 1 lifts both."
      ),
    HttpApiEndpoint.post("registerAdministrator", "/operator/administrator", {
      payload: WireAccount,
      success: WireAccount.pipe(HttpApiSchema.status(201)),
      error: badRequest
    })
      .annotate(OpenApi.Summary, "Register an administrator's account")
      .annotate(OpenApi.Description, "For operators."),
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
  .annotate(OpenApi.Title, "operator (extension)")

/** Linking an account (contract, section 8): an extension of the interface. */
export const AccountLinkGroup = HttpApiGroup.make("accountlink")
  .annotate(OpenApi.Description, "The proven tie between a user and a person of an organization.")
  .add(
    HttpApiEndpoint.post("link", "/authenticationserver/link", {
      payload: WireLinkRequest,
      success: WireLink.pipe(HttpApiSchema.status(201)),
      error: [
        Refusals.badRequest,
        Refusals.forbidden,
        Refusals.notFound,
        Refusals.tooManyRequests,
        Refusals.badGateway,
        Refusals.serviceUnavailable,
        Refusals.gatewayTimeout
      ]
    })
      .annotate(OpenApi.Summary, "Link the caller's account")
      .annotate(
        OpenApi.Description,
        "For users: they prove an account on the organization's authentication server, and are that person from then on."
      ),
    HttpApiEndpoint.delete("unlink", "/authenticationserver/link/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: HttpApiSchema.Empty(205),
      error: [Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Unlink the caller's account")
      .annotate(OpenApi.Description, "For users.")
  )
  .middleware(WellFormed)
  .middleware(Users)
  .annotate(OpenApi.Title, "accountlink (extension)")

const Health = Schema.Struct({ status: Schema.Literal("up"), version: Schema.String }).annotate({
  identifier: "Health"
})

/** Whether the server lives, and whether it is ready to answer (contract, section 9): an extension of the interface. */
export const HealthGroup = HttpApiGroup.make("health")
  .annotate(OpenApi.Description, "Whether the server lives, and whether it can do its work.")
  .add(
    HttpApiEndpoint.get("live", "/health/live", { success: Health })
      .annotate(OpenApi.Summary, "Does the server live?")
      .annotate(OpenApi.Description, "Without authentication: 200 as long as the process answers."),
    HttpApiEndpoint.get("ready", "/health/ready", { success: Health, error: Refusals.serviceUnavailable })
      .annotate(OpenApi.Summary, "Is the server ready?")
      .annotate(
        OpenApi.Description,
        "Without authentication: 503 while the database is away, and when the server ends."
      )
  )
  .annotate(OpenApi.Title, "health (extension)")
