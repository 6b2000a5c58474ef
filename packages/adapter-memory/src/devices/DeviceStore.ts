/** Devices kept in memory, with the hashes of their tokens. */
import {
  type Device,
  type DeviceId,
  DeviceNotFound,
  type DeviceStore,
  isValidDeviceToken,
  type PlaceId,
  premisesId,
  rotateDeviceTokens,
  silentFrom,
  type Timestamp
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { publishEvents } from "../feed/feed.ts"
import {
  byCreation,
  type DeviceRecord,
  findOrganization,
  findPremises,
  levelIn,
  type OrganizationRecord,
  type State
} from "../state/State.ts"
import { atomically } from "../state/atomically.ts"

/** A device with its organization; fails with `DeviceNotFound`. */
export const requireDevice = (state: State, deviceId: DeviceId) => {
  const organization = state.organizationByDevice.get(deviceId)
  const record = organization?.devices.get(deviceId)
  return organization === undefined || record === undefined
    ? Result.fail(new DeviceNotFound({ deviceId }))
    : Result.succeed({ organization, record })
}

/** Writes a device in place of the one with its id. */
export const keepDevice = ({ devices }: OrganizationRecord, record: DeviceRecord, change: Partial<Device>): Device => {
  const device = { ...record.device, ...change }
  devices.set(device.id, { ...record, device })
  return device
}

/** Forgets a device of which its organization knows no longer. */
export const forgetDevice = (state: State, { device, tokens: { current, former } }: DeviceRecord): void => {
  state.organizationByDevice.delete(device.id)
  for (const hash of [current, former?.hash ?? current]) state.deviceByToken.delete(hash)
}

/** Takes a place out of the premises of all devices. */
export const leavePlace = (organization: OrganizationRecord, placeId: PlaceId): void => {
  for (const record of organization.devices.values()) {
    const premises = record.device.premises.filter((one) => one._tag !== "PlacePremises" || premisesId(one) !== placeId)
    if (premises.length < record.device.premises.length) keepDevice(organization, record, { premises })
  }
}

const isSilent = ({ policy }: OrganizationRecord, { device }: DeviceRecord, now: Timestamp): boolean =>
  silentFrom(device, policy.deviceSilentAfter) <= now

export const makeDeviceStore = (state: State): DeviceStore["Service"] => ({
  create: ({ organizationId, administratorId, name, premises, tokenHash, now, decide }) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* decide({
        level: levelIn(organization, administratorId),
        devices: organization.devices.size,
        unknown: premises.find((one) => findPremises(state, one)?.organization !== organization)
      })
      const id = ++state.lastId.device as DeviceId
      const device: Device = { id, organizationId, name, premises, creationDate: now, state: "new", drift: 0 }
      organization.devices.set(id, { device, tokens: { current: tokenHash }, counts: new Map() })
      state.organizationByDevice.set(id, organization)
      state.deviceByToken.set(tokenHash, id)
      return device
    }),

  list: ({ organizationId, administratorId, decide }) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* decide(levelIn(organization, administratorId))
      return Array.from(organization.devices.values(), ({ device }) => device).sort(byCreation)
    }),

  rotate: ({ deviceId, administratorId, tokenHash, now, decide }) =>
    atomically(function* () {
      const { organization, record } = yield* requireDevice(state, deviceId)
      yield* decide(levelIn(organization, administratorId))
      organization.devices.set(deviceId, { ...record, tokens: rotateDeviceTokens(record.tokens, tokenHash, now) })
      state.deviceByToken.delete(record.tokens.former?.hash ?? tokenHash)
      state.deviceByToken.set(tokenHash, deviceId)
      return record.device
    }),

  remove: ({ deviceId, administratorId, decide }) =>
    atomically(function* () {
      const { organization, record } = yield* requireDevice(state, deviceId)
      yield* decide(levelIn(organization, administratorId))
      organization.devices.delete(deviceId)
      forgetDevice(state, record)
    }),

  findByToken: (tokenHash, now) =>
    Effect.sync(() => {
      const deviceId = state.deviceByToken.get(tokenHash)
      const record = deviceId && state.organizationByDevice.get(deviceId)?.devices.get(deviceId)
      return record !== undefined && isValidDeviceToken(record.tokens, tokenHash, now)
        ? Option.some(record.device)
        : Option.none()
    }),

  markSilent: (now, most) =>
    Effect.sync(() => {
      let marked = 0
      for (const organization of state.organizations.values()) {
        const silent = [...organization.devices.values()].filter((record) => isSilent(organization, record, now))
        for (const record of silent.slice(0, most - marked)) {
          keepDevice(organization, record, { state: "silent" })
          publishEvents(state, organization, now, [
            { _tag: "DeviceChanged", deviceId: record.device.id, state: "silent" }
          ])
          marked++
        }
      }
      return marked
    })
})
