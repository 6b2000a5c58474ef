import { type Place, placeName, Places } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { PlaceGroup } from "../../api/organizations/place.ts"
import { Forbidden } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { WirePlace } from "../../wire/organizations/place.ts"
import { withoutNulls } from "../shared/withoutNulls.ts"
import { makeListedInPages } from "./listedInPages.ts"
import { refuse } from "../shared/refuse.ts"

const toWire = (place: Place) => ({ ...place, name: placeName(place), trackingArea: place.trackingArea.text })

/** Answers the endpoints for places (spec: organizations#places). */
export const placeHandlers = Effect.map(Places, (places): GroupHandlers<typeof PlaceGroup> => {
  const listed = makeListedInPages(WirePlace, toWire)
  return {
    create: ({ caller, payload }) =>
      places.create(caller, withoutNulls(payload)).pipe(
        Effect.map(toWire),
        // An organization that does not exist has no manager (spec: organizations#place-of-unknown).
        refuse({ OrganizationNotFound: Forbidden })
      ),
    remove: ({ caller, params }) => refuse()(places.remove(caller, params.placeId)),
    list: ({ caller, params, query }) =>
      listed((after) => places.list(caller, params.organizationId, after, query.level)).pipe(
        refuse({ PremisesNotFound: Forbidden })
      ),
    edit: ({ caller, payload: { id, placeId, organizationId, ...edit } }) =>
      places
        .edit(caller, (id ?? placeId)!, { ...edit, organizationId: organizationId ?? undefined })
        .pipe(Effect.map(toWire), refuse())
  }
})
