import { type Place, placeName, Places } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentAdministrator, CurrentCaller, SojournApi } from "../api/index.ts"
import { Forbidden } from "../api/refusals.ts"
import { WirePlace } from "../wire/place.ts"
import { makeListedInPages } from "./listedInPages.ts"
import { refuse } from "./refuse.ts"

const toWire = (place: Place) => ({ ...place, name: placeName(place), trackingArea: place.trackingArea.text })

export const layerPlace = HttpApiBuilder.group(
  SojournApi,
  "place",
  Effect.fnUntraced(function* (handlers) {
    const places = yield* Places
    const listed = makeListedInPages(WirePlace, toWire)
    return handlers
      .handle("create", ({ payload: { organizationId, name, trackingArea } }) =>
        Effect.flatMap(CurrentAdministrator, (manager) =>
          places.create(manager, { organizationId, name: name ?? undefined, trackingArea })
        ).pipe(
          Effect.map(toWire),
          // Nobody manages an organization that does not exist (contract, section 3).
          refuse({ OrganizationNotFound: Forbidden })
        )
      )
      .handle("remove", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (manager) => places.remove(manager, params.placeId)).pipe(refuse())
      )
      .handle("list", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) =>
          listed((after) => places.list(caller, params.organizationId, after))
        ).pipe(refuse({ PremisesNotFound: Forbidden }))
      )
      .handle("edit", ({ payload: { id, placeId, organizationId, name, trackingArea } }) =>
        Effect.flatMap(CurrentAdministrator, (manager) =>
          places.edit(manager, (id ?? placeId)!, { organizationId: organizationId ?? undefined, name, trackingArea })
        ).pipe(Effect.map(toWire), refuse())
      )
  })
)
