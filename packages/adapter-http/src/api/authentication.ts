import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { WireToken, WireTokenRequest } from "../wire/signIn.ts"
import { Anybody, WellFormed } from "./callers.ts"
import { Refusals } from "./refusals.ts"

/** Tokens for administrators who have a password with this service (contract, section 9): an extension of the interface. */
export const AuthenticationGroup = HttpApiGroup.make("authentication")
  .annotate(OpenApi.Description, "Tokens of the own issuer.")
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
  )
  .middleware(WellFormed)
  .middleware(Anybody)
  .annotate(OpenApi.Title, "authentication (extension)")
