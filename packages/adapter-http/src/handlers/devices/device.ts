/** Answers the endpoints for devices, and for the people whom they count. */
import {
  type CountedPeople,
  Counting,
  type Device,
  Devices,
  type DeviceWithToken,
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CountedGroup, DeviceGroup } from "../../api/devices/device.ts"
import { Unauthorized } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"

interface NamedPremises {
  readonly placeId?: PlaceId | null
}

const premisesOf = (organizationId: OrganizationId, { placeId }: NamedPremises): Premises =>
  placeId == null ? OrganizationPremises(organizationId) : PlacePremises(placeId)

const fieldsOf = ({ id: deviceId, organizationId, name, kind, premises, creationDate }: Device) => ({
  deviceId,
  organizationId,
  name,
  kind: kind === "display" ? kind : undefined,
  premises: premises.map((one) =>
    one._tag === "PlacePremises"
      ? { organization: undefined, placeId: one.placeId }
      : { organization: true as const, placeId: undefined }
  ),
  creationDate
})

const withToken = ({ device, token }: DeviceWithToken) => ({ ...fieldsOf(device), token: Redacted.value(token) })

const toWire = (device: Device) => ({
  ...fieldsOf(device),
  state: device.state,
  lastSeenAt: device.lastSeenAt,
  drift: device.drift
})

export const deviceHandlers = Effect.gen(function* () {
  const devices = yield* Devices
  const counting = yield* Counting
  return {
    create: ({ caller, params: { organizationId }, payload: { name, kind, premises } }) =>
      devices
        .create(caller, {
          organizationId,
          name,
          kind: kind ?? undefined,
          premises: premises.map((one) => premisesOf(organizationId, one))
        })
        .pipe(Effect.map(withToken), refuse()),
    list: ({ caller, params: { organizationId } }) =>
      devices.list(caller, organizationId).pipe(listed(toWire), refuse()),
    rotate: ({ caller, params: { deviceId } }) =>
      devices.rotate(caller, deviceId).pipe(Effect.map(withToken), refuse()),
    remove: ({ caller, params: { deviceId } }) => refuse()(devices.remove(caller, deviceId)),
    count: ({ caller, payload: { readings } }) =>
      counting
        .count(
          caller,
          readings.map((reading) => ({
            premises: premisesOf(caller.organizationId, reading),
            epoch: reading.epoch,
            in: reading.in,
            out: reading.out
          }))
        )
        .pipe(
          Effect.map((accepted) => ({ accepted })),
          // The device was removed since its token was found.
          refuse({ DeviceNotFound: Unauthorized })
        )
  } satisfies GroupHandlers<typeof DeviceGroup>
})

const toCounted =
  <Id extends object>(id: Id) =>
  ({ counted, inside }: CountedPeople) => ({ ...id, counted, inside })

export const countedHandlers = Effect.map(Counting, (counting): GroupHandlers<typeof CountedGroup> => ({
  correctOrganization: ({ caller, params, payload: { counted } }) =>
    counting
      .correct(caller, OrganizationPremises(params.organizationId), counted)
      .pipe(Effect.map(toCounted(params)), refuse()),
  organization: ({ caller, params }) =>
    counting.get(caller, OrganizationPremises(params.organizationId)).pipe(Effect.map(toCounted(params)), refuse()),
  correctPlace: ({ caller, params, payload: { counted } }) =>
    counting.correct(caller, PlacePremises(params.placeId), counted).pipe(Effect.map(toCounted(params)), refuse()),
  place: ({ caller, params }) =>
    counting.get(caller, PlacePremises(params.placeId)).pipe(Effect.map(toCounted(params)), refuse())
}))
