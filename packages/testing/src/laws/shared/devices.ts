/** Fixtures of the laws of devices. */
import {
  CountStore,
  type Device,
  type DeviceKind,
  DeviceStore,
  type PresentedDeviceToken,
  presentedDeviceToken,
  deviceTokenOf,
  type Premises,
  type Reading,
  type Timestamp,
  decideDevice
} from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect } from "effect"
import { NOW } from "../../arbitraries/times.ts"
import type { OrganizationFixture } from "./fixtures.ts"

/** A token of its own for what has an id. */
export const aToken = (id: bigint): PresentedDeviceToken =>
  presentedDeviceToken(deviceTokenOf(SecureRandom.randomBytesUnsafe(32), id))!

/** A new device of an organization, and the hash of its token. */
export const aDevice = Effect.fnUntraced(function* (
  { id: organizationId, owner: administratorId, premises: whole }: OrganizationFixture,
  premises: ReadonlyArray<Premises> = [whole],
  kind: DeviceKind = "counter"
) {
  const token = aToken(organizationId)
  const store = yield* DeviceStore
  const creation = { organizationId, administratorId, name: "Door", kind, premises, tokenHash: token.hash, now: NOW }
  return { device: yield* store.create({ ...creation, decide: decideDevice }), token }
})

export const devicesOf = ({ id: organizationId, owner: administratorId }: OrganizationFixture) =>
  DeviceStore.use((store) => store.list({ organizationId, administratorId }))

export const reading = (premises: Premises, into: number, out: number, epoch = "a"): Reading => ({
  premises,
  epoch,
  in: into,
  out
})

export const send = ({ id: deviceId }: Pick<Device, "id">, readings: ReadonlyArray<Reading>, now: Timestamp = NOW) =>
  CountStore.use((store) => store.count({ deviceId, readings, now }))

export const peopleOf = (premises: Premises, { owner: administratorId }: Pick<OrganizationFixture, "owner">) =>
  CountStore.use((store) => store.get({ premises, administratorId }))

/** Corrects how many people are counted. */
export const correct = (
  premises: Premises,
  { owner: administratorId }: Pick<OrganizationFixture, "owner">,
  counted: number,
  now: Timestamp = NOW
) => CountStore.use((store) => store.set({ premises, administratorId, counted, now }))
