import {
  type Movement,
  Movements,
  OrganizationPremises,
  type OrgAuthServerId,
  PlacePremises,
  type Premises,
  type Timestamp,
  type TrackedMovement,
  type User
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentUser, SojournApi } from "../api/index.ts"
import { BadRequest, type Refusal } from "../api/refusals.ts"
import { trackedAsJson, type WireOrganizationMovement, type WirePlaceMovement } from "../wire/movement.ts"
import { Admission } from "./admission.ts"
import { refuse } from "./refuse.ts"
import { shortcut } from "./shortcut.ts"

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

/** The two endpoints, each as one expression of who calls, what was sent, and with which Idempotency-Key. */
const makeTrack = Effect.map(Movements, (movements) => {
  const track = (user: User, premises: Premises, sent: Sent, key: string | undefined) =>
    refuseMovement(movements.track(user, toMovement(premises, sent, key || undefined)))
  return {
    trackOrganization: (user: User, sent: typeof WireOrganizationMovement.Type, key: string | undefined) =>
      track(user, OrganizationPremises(sent.organizationId), sent, key),
    trackPlace: (user: User, sent: typeof WirePlaceMovement.Type, key: string | undefined) =>
      track(user, PlacePremises(sent.placeId), sent, key)
  }
})

const KEY = "idempotency-key"

export const layerMovement = HttpApiBuilder.group(
  SojournApi,
  "movement",
  Effect.fnUntraced(function* (handlers) {
    const { trackOrganization, trackPlace } = yield* makeTrack
    return handlers
      .handle("trackOrganization", ({ payload, headers }) =>
        Effect.flatMap(CurrentUser, (user) => trackOrganization(user, payload, headers[KEY])).pipe(
          Effect.map((tracked) => toWire({ organizationId: payload.organizationId }, tracked))
        )
      )
      .handle("trackPlace", ({ payload, headers }) =>
        Effect.flatMap(CurrentUser, (user) => trackPlace(user, payload, headers[KEY])).pipe(
          Effect.map((tracked) => toWire({ placeId: payload.placeId }, tracked))
        )
      )
  })
)

/** Movements are most of what is asked: they are answered on the short way (`edge/direct.ts`). */
export const movementShortcuts = Effect.gen(function* () {
  const admission = yield* Admission
  const handlers = yield* makeTrack
  const made = <Name extends keyof typeof handlers>(name: Name) => {
    const handle = handlers[name] as (
      user: User,
      sent: never,
      key: string | undefined
    ) => Effect.Effect<TrackedMovement, Refusal>
    return shortcut(name, admission, {
      kind: "User",
      handle: (user, sent: never, { headers }) => handle(user, sent, headers[KEY]),
      statusOf,
      asJson: trackedAsJson
    })
  }
  return [made("trackOrganization"), made("trackPlace")]
})
