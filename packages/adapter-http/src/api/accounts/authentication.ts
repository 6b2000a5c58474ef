import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { WireAdministrator, WireToken, WireTokenRequest } from "../../wire/accounts/signIn.ts"
import { Administrators, Unauthenticated, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

/** Tokens for administrators who have a password with this service, and whom a token proves: an extension of the interface. */
export class AuthenticationGroup extends HttpApiGroup.make("authentication")
  .annotate(OpenApi.Description, "Tokens of the own issuer, and whom a token proves.")
  .add(
    HttpApiEndpoint.post("token", "/authentication/token", {
      payload: WireTokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()),
      success: WireToken,
      error: [Refusals.badRequest, Refusals.notFound, Refusals.tooManyRequests, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Sign in with a password")
      .annotate(
        OpenApi.Description,
        "For administrators whose account has a password. After 5 failed attempts of a network for a username the next ones are delayed."
      )
      .middleware(Unauthenticated),
    HttpApiEndpoint.get("administrator", "/authentication/administrator", { success: WireAdministrator })
      .annotate(OpenApi.Summary, "Read whom the token proves")
      .annotate(
        OpenApi.Description,
        "For administrators: the caller's id, which is not the token's `sub` with every issuer, and the mail address that the token proves."
      )
      .middleware(Administrators),
    HttpApiEndpoint.post("signOut", "/administrator/signout", {
      success: HttpApiSchema.NoContent,
      error: [Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "End all tokens of the caller")
      .annotate(
        OpenApi.Description,
        "For administrators: every token of theirs that was issued until now is refused within 2 seconds, by every server and stream, whoever issued it. The answer comes after at most a second: a token that is issued after it works."
      )
      .middleware(Administrators)
  )
  .middleware(WellFormed)
  .annotate(OpenApi.Title, "authentication (extension)") {}
