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
import { MovementGroup } from "../api/movement.ts"
import { BadRequest } from "../api/refusals.ts"
import { trackedAsJson, type WireOrganizationMovement, type WirePlaceMovement } from "../wire/movement.ts"
import { refuse } from "./refuse.ts"
import { type Asked, shortcuts } from "./shortcut.ts"

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

const statusOf = ({ _tag }: TrackedMovement) => (_tag === "Entrance" ? 201 : 202)

/** The two endpoints. */
const makeTrack = Effect.map(Movements, (movements) => {
  const track = (premises: Premises, { caller, sent, head }: Asked<"User", Sent>) =>
    refuseMovement(movements.track(caller, toMovement(premises, sent, head.headers["idempotency-key"] || undefined)))
  return {
    trackOrganization: (asked: Asked<"User", typeof WireOrganizationMovement.Type>) =>
      track(OrganizationPremises(asked.sent.organizationId), asked),
    trackPlace: (asked: Asked<"User", typeof WirePlaceMovement.Type>) => track(PlacePremises(asked.sent.placeId), asked)
  }
})

export const layerMovement = HttpApiBuilder.group(
  SojournApi,
  "movement",
  Effect.fnUntraced(function* (handlers) {
    const { trackOrganization, trackPlace } = yield* makeTrack
    return handlers
      .handle("trackOrganization", ({ payload, request }) =>
        Effect.flatMap(CurrentUser, (caller) => trackOrganization({ caller, sent: payload, head: request })).pipe(
          Effect.map((tracked) => toWire({ organizationId: payload.organizationId }, tracked))
        )
      )
      .handle("trackPlace", ({ payload, request }) =>
        Effect.flatMap(CurrentUser, (caller) => trackPlace({ caller, sent: payload, head: request })).pipe(
          Effect.map((tracked) => toWire({ placeId: payload.placeId }, tracked))
        )
      )
  })
)

/** Movements are most of what is asked: they are answered on the short way (`edge/direct.ts`). */
export const movementShortcuts = Effect.flatMap(makeTrack, (handlers) =>
  shortcuts(MovementGroup, handlers, { kind: "User", statusOf, asJson: trackedAsJson })
)
