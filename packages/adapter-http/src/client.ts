/** A typed client of the HTTP interface, and layers that send credentials with its requests. */
import type { OrganizationId } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import {
  Administrators,
  AdministratorsAndDisplays,
  Devices,
  Operators,
  SojournApi,
  Users,
  UsersAdministratorsAndDisplays,
  UsersAndAdministrators
} from "./api/index.ts"
import { PROBLEM_TYPE } from "./api/shared/refusals.ts"
import type { WireMessage } from "./wire/feed/presence.ts"

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
    HttpApiMiddleware.layerClient(AdministratorsAndDisplays, send),
    HttpApiMiddleware.layerClient(UsersAdministratorsAndDisplays, send),
    HttpApiMiddleware.layerClient(Operators, send),
    HttpApiMiddleware.layerClient(Devices, send)
  )
}

/** Sends these credentials with every request that asks for some. */
export const layerCredentials = (token: Redacted.Redacted<string>) => layerSending(Effect.succeed(token))

/**
 * Sends the {@link Credentials} that each call is provided with. Making a client takes milliseconds: make one for all.
 */
export const layerCredentialsOfCaller = layerSending(Effect.service(Credentials))

/**
 * Leaves out how long a browser waits before it connects again: the decoder of a derived client would end the stream there. The client
 * of this module waits as long by itself, see {@link followPresence}.
 */
const withoutRetry = (response: HttpClientResponse.HttpClientResponse): HttpClientResponse.HttpClientResponse =>
  response.headers["content-type"]?.startsWith("text/event-stream") === true
    ? Object.create(response, {
        stream: {
          get: () =>
            response.stream.pipe(
              Stream.decodeText,
              Stream.splitLines,
              Stream.filter((line) => !line.startsWith("retry:")),
              Stream.map((line) => `${line}\n`),
              Stream.encodeText
            )
        }
      })
    : response

type Groups = (typeof SojournApi)["groups"][keyof (typeof SojournApi)["groups"]]

/** A client that {@link makeClient} made. Its type is named: the compiler writes none as long as it is. */
export interface Client extends HttpApiClient.Client<Groups> {}

/** A client of the whole interface, derived from its definition, for the server at `baseUrl`. */
export const makeClient = (
  baseUrl: string
): Effect.Effect<Client, never, HttpClient.HttpClient | HttpApiGroup.MiddlewareClient<Groups>> =>
  HttpApiClient.make(SojournApi, {
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest((request) =>
          request.pipe(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.setHeader("accept", PROBLEM_TYPE))
        ),
        HttpClient.transformResponse(Effect.map(withoutRetry))
      )
  })

/** A message of the stream of presence events. */
export type PresenceMessage = (typeof WireMessage)["Type"]

/** How long to wait before connecting again, as the server says. */
const RETRY = Duration.seconds(1)

/** How long to wait after `replaced`: clients must not replace each other in a circle. */
const REPLACED = Duration.minutes(1)

/** What is over by itself after a while: a connection that breaks, a server that ends or has too much to do. */
const isTransient = (error: { readonly _tag: string }): boolean =>
  error._tag !== "SchemaError" && !["BadRequest", "Unauthorized", "Forbidden", "NotFound"].includes(error._tag)

/**
 * Follows the presence events of organizations, from the message with the id `after` on if there is one. It connects again whenever the
 * connection breaks, and misses nothing; after `end` with `replaced`, when the caller opened too many streams, in a minute. A new connection leaves out the organizations that a message `gone` named. The stream ends after
 * the message `end` for expired credentials and withdrawn permissions, or when no organization is left.
 *
 * It fails where the server refuses the request for good. This includes a withdrawn permission or a deleted organization that no `gone`
 * named, because there was no connection: the refusal of the list does not name the organization.
 */
export const followPresence = (client: Client, organizations: ReadonlyArray<OrganizationId>, after?: string) =>
  Stream.suspend(() => {
    let lastEventId = after
    let remaining = organizations
    let isOver = false
    let isReplaced = false
    const read = (message: PresenceMessage) =>
      Effect.sync(() => {
        isReplaced = message.event === "end" && message.data.reason === "replaced"
        lastEventId = message.id ?? lastEventId
        // The server refuses a list with an organization that cannot be read, for all organizations in it.
        if (message.event === "gone") remaining = remaining.filter((id) => id !== message.data.organizationId)
        isOver =
          remaining.length === 0 ||
          (message.event === "end" && (message.data.reason === "expired" || message.data.reason === "forbidden"))
      })
    return Stream.suspend(() =>
      Stream.unwrap(
        client.stream.presence({
          query: { organizations: remaining },
          headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId }
        })
      )
    ).pipe(
      Stream.tap(read),
      Stream.catchIf(isTransient, () => Stream.empty),
      Stream.repeat(
        Schedule.forever.pipe(
          Schedule.modifyDelay(() => Effect.sync(() => (isReplaced ? REPLACED : RETRY))),
          Schedule.while(() => Effect.sync(() => !isOver))
        )
      )
    )
  })
