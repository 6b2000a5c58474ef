/** What can be entered and left: an organization as a whole or one of its places. Stays, counters and history are kept for each. */
import type { OrganizationId, PlaceId } from "./Ids.ts"

/** An organization as a whole, as what a movement, a stay or a counter is about. */
export interface OrganizationPremises {
  readonly _tag: "OrganizationPremises"
  readonly organizationId: OrganizationId
}

/** A place, as what a movement, a stay or a counter is about. */
export interface PlacePremises {
  readonly _tag: "PlacePremises"
  readonly placeId: PlaceId
}

/**
 * What a movement, a stay or a counter is about. Being in a place and being in its organization are two stays: neither
 * implies the other.
 */
export type Premises = OrganizationPremises | PlacePremises

export const OrganizationPremises = (organizationId: OrganizationId): OrganizationPremises => ({
  _tag: "OrganizationPremises",
  organizationId
})

export const PlacePremises = (placeId: PlaceId): PlacePremises => ({ _tag: "PlacePremises", placeId })

/** The Long that identifies the premises among those of its kind. */
export const premisesId = (premises: Premises): OrganizationId | PlaceId =>
  premises._tag === "OrganizationPremises" ? premises.organizationId : premises.placeId

/** Are both the same premises? */
export const samePremises = (one: Premises, other: Premises): boolean =>
  one._tag === other._tag && premisesId(one) === premisesId(other)
