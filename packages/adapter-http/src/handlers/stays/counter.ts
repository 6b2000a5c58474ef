/** Answers the endpoints of `api/stays/counter.ts`. */
import { OrganizationPremises, PlacePremises, Presence } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { PresenceGroup } from "../../api/stays/counter.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"

/** Answers the endpoints for presence counters (spec: stays#counters). */
export const presenceHandlers = Effect.map(Presence, (presence): GroupHandlers<typeof PresenceGroup> => ({
  organizationCounter: ({ caller, params: { organizationId } }) =>
    presence.counter(caller, OrganizationPremises(organizationId)).pipe(
      Effect.map(({ counter }) => ({ organizationId, counter })),
      refuse()
    ),
  placeCounter: ({ caller, params: { placeId } }) =>
    presence.counter(caller, PlacePremises(placeId)).pipe(
      Effect.map(({ counter }) => ({ placeId, counter })),
      refuse()
    )
}))
