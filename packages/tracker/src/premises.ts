/** Checks of the ids and premises that callers pass. */
import type { GeofencePremises } from "@sojourn/core/Geofence"
import { premisesOf } from "./visits.ts"

export const isId = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) > 0

/** The premises alone. Throws a `TypeError` unless they are an organization or a place. */
export const requirePremises = (premises: GeofencePremises): GeofencePremises => {
  const { organizationId, placeId } = premises
  if ((organizationId === undefined) === (placeId === undefined) || !isId(organizationId ?? placeId)) {
    throw new TypeError("Premises are { organizationId } or { placeId }, with the id of one.")
  }
  return premisesOf(premises)
}
