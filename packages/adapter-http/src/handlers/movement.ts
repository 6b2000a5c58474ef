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
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentUser, SojournApi } from "../api/index.ts"
import { BadRequest } from "../api/refusals.ts"
import { refuse } from "./refuse.ts"

interface Sent {
  readonly movementType: 1 | "entrance" | -1 | "exit"
  readonly timestamp?: Timestamp | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken?: string | null | undefined
}

const toMovement = (premises: Premises, sent: Sent, idempotencyKey: string | undefined): Movement => {
  const timestamp = sent.timestamp ?? undefined
  const orgAuthServerId = (sent.orgAuthServerId ?? undefined) as OrgAuthServerId | undefined
  return sent.movementType === 1 || sent.movementType === "entrance"
    ? { _tag: "Entrance", premises, timestamp, orgAuthServerId, idempotencyKey }
    : { _tag: "Exit", premises, timestamp, orgAuthServerId, exitToken: sent.exitToken ?? "" }
}

/** What is answered: the kind of movement carries the status. */
const toWire = <Id extends object>(id: Id, tracked: TrackedMovement) => {
  const { timestamp, exitToken, orgAuthServerId } = tracked
  const rest = { ...id, timestamp, exitToken, orgAuthServerId }
  return tracked._tag === "Entrance" ? { movementType: 1 as const, ...rest } : { movementType: -1 as const, ...rest }
}

/** A movement to what does not exist is a bad movement, as the interface knows no 404 here (contract, section 3). */
const refuseMovement = refuse({ PremisesNotFound: BadRequest })

export const layerMovement = HttpApiBuilder.group(
  SojournApi,
  "movement",
  Effect.fnUntraced(function* (handlers) {
    const movements = yield* Movements
    const track = Effect.fnUntraced(function* <Id extends object>(id: Id, movement: Movement) {
      return toWire(id, yield* refuseMovement(movements.track(yield* CurrentUser, movement)))
    })
    return handlers
      .handle("trackOrganization", ({ payload, headers }) => {
        const { organizationId } = payload
        return track(
          { organizationId },
          toMovement(OrganizationPremises(organizationId), payload, headers["idempotency-key"] || undefined)
        )
      })
      .handle("trackPlace", ({ payload, headers }) => {
        const { placeId } = payload
        return track({ placeId }, toMovement(PlacePremises(placeId), payload, headers["idempotency-key"] || undefined))
      })
  })
)
