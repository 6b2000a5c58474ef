import {
  Accesses,
  type AuthenticatedAccess,
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Result from "effect/Result"
import { AccessGroup } from "../api/access.ts"
import { CurrentCaller, SojournApi } from "../api/index.ts"
import { BadRequest, Forbidden } from "../api/refusals.ts"
import { exitTokens, lastSegment, orgAuthServerIds, type PathListMalformed, withParts } from "../wire/pathList.ts"
import {
  anonymousAsJson,
  stayAsJson,
  type WireOrganizationAuthenticatedAccess,
  type WirePlaceAuthenticatedAccess
} from "../wire/reading.ts"
import type { RequestHead } from "./envelope.ts"
import { listedAsJson, listedAsText } from "./listed.ts"
import { refuse } from "./refuse.ts"
import { type Asked, shortcuts } from "./shortcut.ts"

const read = <A>(
  request: RequestHead,
  parse: (segment: string) => Result.Result<A, PathListMalformed>
): Effect.Effect<A, BadRequest> =>
  Effect.mapErrorEager(
    Effect.fromResult(parse(lastSegment(request.originalUrl))),
    ({ detail }) => new BadRequest({ detail })
  )

const times = ({ id, stay }: AuthenticatedAccess) =>
  stayAsJson({ id, entranceTimestamp: stay.entrance, exitTimestamp: stay.exit })

/** Whose accesses a list is of. */
type JsonId = { readonly organizationId: number } | { readonly placeId: number }
type Authenticated = typeof WireOrganizationAuthenticatedAccess.Encoded | typeof WirePlaceAuthenticatedAccess.Encoded

const refuseReading = refuse()

/** A list by tokens that is asked for: whoever has the tokens may read it. */
type Listing<Sent> = Pick<Asked<"User", Sent>, "sent" | "head">

/** The two endpoints. */
const makeList = Effect.map(Accesses, (accesses) => {
  const list = (head: RequestHead, premises: Premises) =>
    Effect.flatMapEager(read(head, exitTokens), (tokens) => refuseReading(accesses.anonymous(premises, tokens)))
  return {
    organizationAnonymous: ({ sent, head }: Listing<{ readonly organizationId: OrganizationId }>) =>
      list(head, OrganizationPremises(sent.organizationId)),
    placeAnonymous: ({ sent, head }: Listing<{ readonly placeId: PlaceId }>) => list(head, PlacePremises(sent.placeId))
  }
})

export const layerAccess = HttpApiBuilder.group(
  SojournApi,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const accesses = yield* Accesses

    const { organizationAnonymous, placeAnonymous } = yield* makeList

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
      .handle("organizationAnonymous", ({ request, params }) =>
        organizationAnonymous({ sent: params, head: request }).pipe(
          listedAsText((accesses) => anonymousAsJson(OrganizationPremises(params.organizationId), accesses))
        )
      )
      .handle("placeAnonymous", ({ request, params }) =>
        placeAnonymous({ sent: params, head: request }).pipe(
          listedAsText((accesses) => anonymousAsJson(PlacePremises(params.placeId), accesses))
        )
      )
      .handle("organizationAuthenticated", ({ request, params: { organizationId } }) =>
        authenticated(request, OrganizationPremises(organizationId), { organizationId: Number(organizationId) })
      )
      .handle("placeAuthenticated", ({ request, params: { placeId } }) =>
        authenticated(request, PlacePremises(placeId), { placeId: Number(placeId) })
      )
  })
)

/** Lists by tokens are what phones ask for: they are answered on the short way (`edge/direct.ts`). */
export const accessShortcuts = Effect.flatMap(makeList, (handlers) =>
  shortcuts(AccessGroup, handlers, {
    kind: "User",
    statusOf: (accesses) => (accesses.length === 0 ? 204 : 200),
    asJson: (accesses) => accesses[0] && anonymousAsJson(accesses[0].stay.premises, accesses)
  })
)
