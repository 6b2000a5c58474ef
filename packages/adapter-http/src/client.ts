import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Administrators, Operators, SojournApi, Users, UsersAndAdministrators } from "./api/index.ts"
import { PROBLEM_TYPE } from "./api/refusals.ts"

/** Sends these credentials with every request that asks for some. */
export const layerCredentials = (token: Redacted.Redacted<string>) => {
  const send: HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> = ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, token))
  return Layer.mergeAll(
    HttpApiMiddleware.layerClient(Users, send),
    HttpApiMiddleware.layerClient(Administrators, send),
    HttpApiMiddleware.layerClient(UsersAndAdministrators, send),
    HttpApiMiddleware.layerClient(Operators, send)
  )
}

/** A client of the whole interface, derived from its definition, for the server at `baseUrl`. */
export const makeClient = (baseUrl: string) =>
  HttpApiClient.make(SojournApi, {
    transformClient: HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.setHeader("accept", PROBLEM_TYPE))
    )
  })
