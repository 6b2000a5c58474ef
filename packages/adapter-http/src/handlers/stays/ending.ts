/** Answers the endpoints that end stays which no exit ended. */
import { OrganizationPremises, PlacePremises, StayEndings } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { StayEndingGroup } from "../../api/stays/ending.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import type { WirePlaceEnd } from "../../wire/stays/ending.ts"
import { refuse } from "../shared/refuse.ts"

const toWire = (ended: number) => ({ ended })

const peopleOf = ({ orgAuthServerIds: people, exitTimestamp }: typeof WirePlaceEnd.Type) => ({
  people,
  exit: exitTimestamp ?? undefined
})

export const stayEndingHandlers = Effect.map(StayEndings, (endings): GroupHandlers<typeof StayEndingGroup> => ({
  endOrganization: ({ caller, params: { organizationId }, payload: { places, ...payload } }) =>
    endings
      .end(caller, {
        premises: OrganizationPremises(organizationId),
        withPlaces: places === true,
        ...peopleOf(payload)
      })
      .pipe(Effect.map(toWire), refuse()),
  endPlace: ({ caller, params: { placeId }, payload }) =>
    endings
      .end(caller, { premises: PlacePremises(placeId), withPlaces: false, ...peopleOf(payload) })
      .pipe(Effect.map(toWire), refuse()),
  clearOrganization: ({ caller, params: { organizationId }, payload: { places } }) =>
    endings.clear(caller, { premises: OrganizationPremises(organizationId), withPlaces: places }).pipe(refuse()),
  clearPlace: ({ caller, params: { placeId } }) =>
    endings.clear(caller, { premises: PlacePremises(placeId), withPlaces: false }).pipe(refuse())
}))
