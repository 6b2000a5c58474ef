import { OrganizationId, OrganizationPremises, PlaceId, PlacePremises } from "@sojourn/core"
import { premises } from "@sojourn/core/testing"
import * as Arbitrary from "effect/Arbitrary"

/** An id that is a number of JSON, as all are that the service gives out. */
export const asJsonId = <Id extends bigint>(id: Id): Id => (BigInt.asUintN(53, id) || 1n) as Id

/** Premises with such ids. */
export const jsonPremises = Arbitrary.map(premises, (where) =>
  where._tag === "OrganizationPremises"
    ? OrganizationPremises(OrganizationId.make(asJsonId(where.organizationId)))
    : PlacePremises(PlaceId.make(asJsonId(where.placeId)))
)
