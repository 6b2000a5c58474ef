/** Devices kept in memory, with the hashes of their tokens. */
import {
  behindFrom,
  type Device,
  deviceCreated,
  type DeviceId,
  DeviceNotFound,
  deviceRemoved,
  type DeviceStore,
  deviceTokenMade,
  isAhead,
  isNewSighting,
  isValidDeviceToken,
  type PlaceId,
  PlacePremises,
  premisesId,
  premisesKey,
  publishedDrift,
  recorded,
  rotateDeviceTokens,
  silentFrom,
  type Timestamp
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { intervalOf, publishEvents } from "../feed/feed.ts"
import {
  byCreation,
  type DeviceRecord,
  findOrganization,
  findPremises,
  type OrganizationRecord,
  requireLevelIn,
  type State
} from "../state/State.ts"
import { atomicallyNow, recording } from "../state/atomically.ts"

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
    if (premises.length === record.device.premises.length) continue
    const key = premisesKey(PlacePremises(placeId))
    const drift = record.device.drift + (record.counts.get(key)?.drift.now ?? 0)
    record.counts.delete(key)
    keepDevice(organization, record, { premises, drift })
  }
}

/** A device as it is answered, with its drift at all premises. */
const answeredDevice = (organization: OrganizationRecord, { device, counts }: DeviceRecord, now: Timestamp): Device => {
  const interval = intervalOf(organization)
  const drift = [...counts.values()].reduce((sum, one) => sum + publishedDrift(one.drift, interval, now), device.drift)
  return { ...device, drift }
}

/** The state that time alone has brought a device to. */
const lapsedState = (
  { policy }: OrganizationRecord,
  { device, belowSince }: DeviceRecord,
  now: Timestamp
): "silent" | "behind" | undefined =>
  silentFrom(device, policy.deviceSilentAfter) <= now
    ? "silent"
    : behindFrom({ ...device, belowSince }) <= now
      ? "behind"
      : undefined

export const makeDeviceStore = (state: State): DeviceStore["Service"] => ({
  create: ({ organizationId, administratorId, name, kind, premises, tokenHash, now, decide }) =>
    recording(state, function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* requireLevelIn(organization, administratorId, "manager")
      yield* decide({
        devices: organization.devices.size,
        unknown: premises.find((one) => findPremises(state, one)?.organization !== organization)
      })
      const id = ++state.lastId.device as DeviceId
      const device: Device = { id, organizationId, name, kind, premises, creationDate: now, state: "new", drift: 0 }
      organization.devices.set(id, { device, tokens: { current: tokenHash }, counts: new Map() })
      state.organizationByDevice.set(id, organization)
      state.deviceByToken.set(tokenHash, id)
      return recorded(device, deviceCreated(device))
    }),

  list: ({ organizationId, administratorId }) =>
    atomicallyNow(function* (now) {
      const organization = yield* findOrganization(state, organizationId)
      yield* requireLevelIn(organization, administratorId, "viewer")
      return Array.from(organization.devices.values(), (record) => answeredDevice(organization, record, now)).sort(
        byCreation
      )
    }),

  rotate: ({ deviceId, administratorId, tokenHash, now }) =>
    recording(state, function* () {
      const { organization, record } = yield* requireDevice(state, deviceId)
      yield* requireLevelIn(organization, administratorId, "manager")
      organization.devices.set(deviceId, { ...record, tokens: rotateDeviceTokens(record.tokens, tokenHash, now) })
      state.deviceByToken.delete(record.tokens.former?.hash ?? tokenHash)
      state.deviceByToken.set(tokenHash, deviceId)
      return recorded(answeredDevice(organization, record, now), deviceTokenMade(record.device))
    }),

  remove: ({ deviceId, administratorId }) =>
    recording(state, function* () {
      const { organization, record } = yield* requireDevice(state, deviceId)
      yield* requireLevelIn(organization, administratorId, "manager")
      organization.devices.delete(deviceId)
      forgetDevice(state, record)
      return recorded(undefined, deviceRemoved(record.device))
    }),

  findByToken: ({ hash: tokenHash }, now) =>
    Effect.sync(() => {
      const deviceId = state.deviceByToken.get(tokenHash)
      const record = deviceId && state.organizationByDevice.get(deviceId)?.devices.get(deviceId)
      return record !== undefined && isValidDeviceToken(record.tokens, tokenHash, now)
        ? Option.some(record.device)
        : Option.none()
    }),

  existing: (deviceIds) => Effect.sync(() => deviceIds.filter((id) => state.organizationByDevice.has(id))),

  recordSightings: (sightings, now) =>
    Effect.sync(() => {
      for (const { deviceId, at } of sightings) {
        const organization = state.organizationByDevice.get(deviceId)
        const record = organization?.devices.get(deviceId)
        if (organization === undefined || record === undefined || !isNewSighting(record.device, at, now)) continue
        const isBack = record.device.state === "silent"
        keepDevice(organization, record, { state: "ok", lastSeenAt: at })
        if (isBack) publishEvents(state, organization, now, [{ _tag: "DeviceChanged", deviceId, state: "ok" }])
      }
    }),

  markStates: (now, most) =>
    Effect.sync(() => {
      let marked = 0
      for (const organization of state.organizations.values()) {
        for (const record of organization.devices.values()) {
          const { lastSeenAt } = record.device
          if (lastSeenAt !== undefined && isAhead(lastSeenAt, now))
            keepDevice(organization, record, { lastSeenAt: now })
          const lapsed = lapsedState(organization, record, now)
          if (lapsed === undefined || marked === most) continue
          keepDevice(organization, record, { state: lapsed })
          publishEvents(state, organization, now, [
            { _tag: "DeviceChanged", deviceId: record.device.id, state: lapsed }
          ])
          marked++
        }
      }
      return marked
    })
})
