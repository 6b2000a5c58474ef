/** A typed client of the HTTP interface, and layers that send credentials with its requests. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Administrators, Operators, SojournApi, Users, UsersAndAdministrators } from "./api/index.ts"
import { PROBLEM_TYPE } from "./api/refusals.ts"

/**
 * The credentials of the caller, for a client that serves many callers: provide them to each call, or around many, and
 * {@link layerCredentialsOfCaller} to the client. A call without any is sent without any.
 */
export const Credentials = Context.Reference<Redacted.Redacted<string> | undefined>(
  "@sojourn/adapter-http/client/Credentials",
  { defaultValue: () => undefined }
)

/** Sends what `credentials` answers with every request that asks for some. */
const layerSending = (credentials: Effect.Effect<Redacted.Redacted<string> | undefined>) => {
  const send: HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> = ({ next, request }) =>
    Effect.flatMap(credentials, (token) =>
      next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
    )
  return Layer.mergeAll(
    HttpApiMiddleware.layerClient(Users, send),
    HttpApiMiddleware.layerClient(Administrators, send),
    HttpApiMiddleware.layerClient(UsersAndAdministrators, send),
    HttpApiMiddleware.layerClient(Operators, send)
  )
}

/** Sends these credentials with every request that asks for some. */
export const layerCredentials = (token: Redacted.Redacted<string>) => layerSending(Effect.succeed(token))

/** Sends the {@link Credentials} that each call is provided with. Making a client takes milliseconds: make one for all. */
export const layerCredentialsOfCaller = layerSending(Effect.service(Credentials))

/** A client of the whole interface, derived from its definition, for the server at `baseUrl`. */
export const makeClient = (baseUrl: string) =>
  HttpApiClient.make(SojournApi, {
    transformClient: HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.setHeader("accept", PROBLEM_TYPE))
    )
  })
