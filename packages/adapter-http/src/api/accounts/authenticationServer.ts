/** The endpoint for information on users. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireInformation, WireInformationRequest } from "../../wire/accounts/authenticationServer.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

/** Information on users, from the organization's own authentication server (spec: accounts#authentication-servers). */
export class AuthenticationServerGroup extends HttpApiGroup.make("authenticationserver")
  .annotate(OpenApi.Description, "What an organization's own authentication server knows of people.")
  .add(
    HttpApiEndpoint.post("userInformation", "/authenticationserver/userinformation", {
      payload: WireInformationRequest,
      success: [Schema.Array(WireInformation), EmptyList],
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
      .annotate(OpenApi.Summary, "Ask an organization's authentication server for names")
      .annotate(
        OpenApi.Description,
        'For administrators of any level, with credentials of their own on that server. `["*"]` asks for everyone whom these may see, 1,000 at most.'
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators) {}
