import {
  Accesses,
  type AnonymousAccess,
  type AuthenticatedAccess,
  OrganizationPremises,
  PlacePremises,
  type Premises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Result from "effect/Result"
import { CurrentCaller, SojournApi } from "../api/index.ts"
import { BadRequest, Forbidden } from "../api/refusals.ts"
import { exitTokens, lastSegment, orgAuthServerIds, type PathListMalformed, withParts } from "../wire/pathList.ts"
import {
  stayAsJson,
  type WireOrganizationAccess,
  type WireOrganizationAuthenticatedAccess,
  type WirePlaceAccess,
  type WirePlaceAuthenticatedAccess
} from "../wire/reading.ts"
import { listedAsJson } from "./listed.ts"
import { refuse } from "./refuse.ts"

const read = <A>(
  request: HttpServerRequest,
  parse: (segment: string) => Result.Result<A, PathListMalformed>
): Effect.Effect<A, BadRequest> =>
  Effect.mapError(
    Effect.fromResult(parse(lastSegment(request.originalUrl))),
    ({ detail }) => new BadRequest({ detail })
  )

const times = ({ stay }: AnonymousAccess | AuthenticatedAccess) =>
  stayAsJson({ id: stay.id, entranceTimestamp: stay.entrance, exitTimestamp: stay.exit })

/** Whose accesses a list is of. */
type JsonId = { readonly organizationId: number } | { readonly placeId: number }
type Anonymous = typeof WireOrganizationAccess.Encoded | typeof WirePlaceAccess.Encoded
type Authenticated = typeof WireOrganizationAuthenticatedAccess.Encoded | typeof WirePlaceAuthenticatedAccess.Encoded

export const layerAccess = HttpApiBuilder.group(
  SojournApi,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const accesses = yield* Accesses

    const anonymous = <Id extends JsonId>(request: HttpServerRequest, premises: Premises, id: Id) =>
      Effect.flatMap(read(request, exitTokens), (tokens) =>
        accesses.anonymous(premises, tokens).pipe(
          listedAsJson((access): Anonymous => ({ ...id, ...times(access), exitToken: access.exitToken })),
          refuse()
        )
      )

    const authenticated = Effect.fnUntraced(function* <Id extends JsonId>(
      request: HttpServerRequest,
      premises: Premises,
      id: Id
    ) {
      const asked = yield* read(request, orgAuthServerIds)
      const caller = yield* CurrentCaller
      const toJson = (access: AuthenticatedAccess): Authenticated => ({
        ...id,
        ...times(access),
        orgAuthServerId: access.orgAuthServerId
      })
      if (caller._tag === "User")
        return yield* accesses.own(caller, premises, asked).pipe(listedAsJson(toJson), refuse())
      return yield* accesses.ofPeople(caller, premises, withParts(asked)).pipe(
        listedAsJson(toJson),
        // The interface knows no 404 here: what does not exist is nothing that the caller may read (contract, section 3).
        refuse({ PremisesNotFound: Forbidden })
      )
    })

    return handlers
      .handle("organizationAnonymous", ({ request, params: { organizationId } }) =>
        anonymous(request, OrganizationPremises(organizationId), { organizationId: Number(organizationId) })
      )
      .handle("placeAnonymous", ({ request, params: { placeId } }) =>
        anonymous(request, PlacePremises(placeId), { placeId: Number(placeId) })
      )
      .handle("organizationAuthenticated", ({ request, params: { organizationId } }) =>
        authenticated(request, OrganizationPremises(organizationId), { organizationId: Number(organizationId) })
      )
      .handle("placeAuthenticated", ({ request, params: { placeId } }) =>
        authenticated(request, PlacePremises(placeId), { placeId: Number(placeId) })
      )
  })
)
