/** The endpoints that link and unlink an account. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { WireLink, WireLinkRequest } from "../../wire/accounts/authenticationServer.ts"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { Users, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

/** Linking an account (spec: accounts#links): an extension of the interface. */
export class AccountLinkGroup extends HttpApiGroup.make("accountlink")
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
  .annotate(OpenApi.Title, "accountlink (extension)") {}
