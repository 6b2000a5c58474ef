import {
  Accesses,
  type AnonymousAccess,
  type AuthenticatedAccess,
  OrganizationPremises,
  PlacePremises,
  type Premises,
  type User,
  type Administrator
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { AccessGroup } from "../../api/stays/access.ts"
import { BadRequest, Forbidden } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import type { RequestHead } from "../../pipeline/requestHead.ts"
import {
  exitTokens,
  lastSegment,
  orgAuthServerIds,
  type PathListMalformed,
  withParts
} from "../../wire/stays/pathList.ts"
import { listed } from "../shared/listed.ts"
import { refuse } from "../shared/refuse.ts"

const read = <A>(
  { url }: RequestHead,
  parse: (segment: string) => Result.Result<A, PathListMalformed>
): Effect.Effect<A, BadRequest> =>
  Effect.mapErrorEager(Effect.fromResult(parse(lastSegment(url))), ({ detail }) => new BadRequest({ detail }))

/** The id and the times of an access. */
export const fieldsOf = ({ id, stay: { entrance, exit } }: AnonymousAccess | AuthenticatedAccess) => ({
  id,
  entranceTimestamp: entrance,
  exitTimestamp: exit
})

/** Answers the endpoints for accesses (spec: stays#accesses-and-reports). */
export const accessHandlers = Effect.map(Accesses, (accesses): GroupHandlers<typeof AccessGroup> => {
  const anonymous = <Id extends object>(head: RequestHead, premises: Premises, id: Id) =>
    Effect.flatMapEager(read(head, exitTokens), (tokens) =>
      accesses.anonymous(premises, tokens).pipe(
        listed((access: AnonymousAccess) => ({ ...id, ...fieldsOf(access), exitToken: access.exitToken })),
        refuse()
      )
    )

  const authenticated = <Id extends object>(
    head: RequestHead,
    caller: User | Administrator,
    premises: Premises,
    id: Id
  ) => {
    const list = listed((access: AuthenticatedAccess) => ({
      ...id,
      ...fieldsOf(access),
      orgAuthServerId: access.orgAuthServerId
    }))
    return Effect.flatMapEager(read(head, orgAuthServerIds), (filter) => {
      if (caller._tag === "User") return accesses.own(caller, premises, filter).pipe(list, refuse())
      return accesses.ofPeople(caller, premises, withParts(filter)).pipe(
        list,
        // The interface knows no 404 here: what does not exist is nothing that the caller may read (spec: stays#list-of-unknown).
        refuse({ PremisesNotFound: Forbidden })
      )
    })
  }

  return {
    organizationAnonymous: ({ head, params: { organizationId } }) =>
      anonymous(head, OrganizationPremises(organizationId), { organizationId }),
    placeAnonymous: ({ head, params: { placeId } }) => anonymous(head, PlacePremises(placeId), { placeId }),
    organizationAuthenticated: ({ caller, head, params: { organizationId } }) =>
      authenticated(head, caller, OrganizationPremises(organizationId), { organizationId }),
    placeAuthenticated: ({ caller, head, params: { placeId } }) =>
      authenticated(head, caller, PlacePremises(placeId), { placeId })
  }
})
