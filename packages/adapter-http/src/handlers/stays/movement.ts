/** Answers the endpoints for movements (spec: stays#movements). */
import {
  type Movement,
  Movements,
  OrganizationPremises,
  type OrgAuthServerId,
  PlacePremises,
  type Premises,
  type Timestamp,
  type TrackedMovement
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { MovementGroup } from "../../api/stays/movement.ts"
import { BadRequest } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"

interface Sent {
  readonly movementType: 1 | "entrance" | -1 | "exit"
  readonly timestamp?: Timestamp | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken?: string | null | undefined
  readonly leaves?: ReadonlyArray<string> | null | undefined
}

const toMovement = (premises: Premises, sent: Sent, idempotencyKey: string | undefined): Movement => {
  const timestamp = sent.timestamp ?? undefined
  const orgAuthServerId = (sent.orgAuthServerId ?? undefined) as OrgAuthServerId | undefined
  return sent.movementType === 1 || sent.movementType === "entrance"
    ? { _tag: "Entrance", premises, timestamp, orgAuthServerId, idempotencyKey, leaves: sent.leaves ?? undefined }
    : { _tag: "Exit", premises, timestamp, orgAuthServerId, exitToken: sent.exitToken ?? "" }
}

/** The kind of movement carries the status: its success schemas differ in `movementType`. */
const toWire =
  <Id extends object>(id: Id) =>
  ({ _tag, timestamp, exitToken, orgAuthServerId }: TrackedMovement) => {
    const rest = { ...id, timestamp, exitToken, orgAuthServerId }
    return _tag === "Entrance" ? { movementType: 1 as const, ...rest } : { movementType: -1 as const, ...rest }
  }

/** A movement to what does not exist is a bad movement, as the interface knows no 404 here (spec: stays#unknown-premises). */
const refuseMovement = refuse({ PremisesNotFound: BadRequest })

/** An empty key counts as none. */
const keyOf = (headers: { readonly "idempotency-key"?: string | undefined }) => headers["idempotency-key"] || undefined

export const movementHandlers = Effect.map(Movements, ({ track }): GroupHandlers<typeof MovementGroup> => ({
  trackOrganization: ({ caller, headers, payload }) => {
    const { organizationId } = payload
    const movement = toMovement(OrganizationPremises(organizationId), payload, keyOf(headers))
    return refuseMovement(Effect.map(track(caller, movement), toWire({ organizationId })))
  },
  trackPlace: ({ caller, headers, payload }) => {
    const { placeId } = payload
    const movement = toMovement(PlacePremises(placeId), payload, keyOf(headers))
    return refuseMovement(Effect.map(track(caller, movement), toWire({ placeId })))
  }
}))
