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
import { refuse } from "../shared/refuse.ts"

/** `warnAt` that is left out is the default: a capacity is replaced as a whole. */
const capacityOf = (payload: {
  readonly capacity: number | null
  readonly warnAt?: number | null
}): Capacity | undefined =>
  payload.capacity === null ? undefined : { capacity: payload.capacity, warnAt: payload.warnAt ?? DEFAULT_WARN_AT }

const toSet =
  <Id extends object>(id: Id) =>
  ({ capacity }: CapacityReading) => ({ ...id, capacity: capacity?.capacity, warnAt: capacity?.warnAt })

const toReading =
  <Id extends object>(id: Id) =>
  (reading: CapacityReading) => ({ ...toSet(id)(reading), inside: reading.inside, level: reading.level })

export const capacityHandlers = Effect.map(Capacities, (capacities): GroupHandlers<typeof CapacityGroup> => ({
  setOrganizationCapacity: ({ caller, params, payload }) =>
    capacities
      .set(caller, OrganizationPremises(params.organizationId), capacityOf(payload))
      .pipe(Effect.map(toSet(params)), refuse()),
  organizationCapacity: ({ caller, params }) =>
    capacities.get(caller, OrganizationPremises(params.organizationId)).pipe(Effect.map(toReading(params)), refuse()),
  setPlaceCapacity: ({ caller, params, payload }) =>
    capacities
      .set(caller, PlacePremises(params.placeId), capacityOf(payload))
      .pipe(Effect.map(toSet(params)), refuse()),
  placeCapacity: ({ caller, params }) =>
    capacities.get(caller, PlacePremises(params.placeId)).pipe(Effect.map(toReading(params)), refuse())
}))
