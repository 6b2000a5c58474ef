/** Answers the endpoints for capacities. */
import {
  Capacities,
  type Capacity,
  type CapacityReading,
  DEFAULT_WARN_AT,
  OrganizationPremises,
  PlacePremises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { CapacityGroup } from "../../api/feed/capacity.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../../pipeline/refuse.ts"

/** `warnAt` that is left out is the default: a capacity is replaced as a whole. */
const capacityOf = (payload: {
  readonly capacity: number | null
  readonly warnAt?: number | null
}): Capacity | undefined =>
  payload.capacity === null ? undefined : { capacity: payload.capacity, warnAt: payload.warnAt ?? DEFAULT_WARN_AT }

const fieldsOf = ({ capacity }: CapacityReading) => ({ capacity: capacity?.capacity, warnAt: capacity?.warnAt })

export const capacityHandlers = Effect.map(Capacities, (capacities): GroupHandlers<typeof CapacityGroup> => ({
  setOrganizationCapacity: ({ caller, params: { organizationId }, payload }) =>
    capacities.set(caller, OrganizationPremises(organizationId), capacityOf(payload)).pipe(
      Effect.map((reading) => ({ organizationId, ...fieldsOf(reading) })),
      refuse()
    ),
  organizationCapacity: ({ caller, params: { organizationId } }) =>
    capacities.get(caller, OrganizationPremises(organizationId)).pipe(
      Effect.map((reading) => ({
        organizationId,
        inside: reading.inside,
        ...fieldsOf(reading),
        level: reading.level
      })),
      refuse()
    ),
  setPlaceCapacity: ({ caller, params: { placeId }, payload }) =>
    capacities.set(caller, PlacePremises(placeId), capacityOf(payload)).pipe(
      Effect.map((reading) => ({ placeId, ...fieldsOf(reading) })),
      refuse()
    ),
  placeCapacity: ({ caller, params: { placeId } }) =>
    capacities.get(caller, PlacePremises(placeId)).pipe(
      Effect.map((reading) => ({ placeId, inside: reading.inside, ...fieldsOf(reading), level: reading.level })),
      refuse()
    )
}))
