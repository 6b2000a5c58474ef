/** People counted by devices, kept in memory. */
import {
  changeDrift,
  correctDrift,
  correctedUntil,
  countedCorrected,
  countReadings,
  type CountedPeople,
  type CountStore,
  deviceAfterReadings,
  type DeviceId,
  type Drift,
  isRememberedEpoch,
  NO_DRIFT,
  OrganizationPremises,
  PlacePremises,
  policyActed,
  type Premises,
  premisesKey,
  recorded,
  samePremises,
  type Timestamp
} from "@sojourn/core"
import { Effect } from "effect"
import {
  answeredCounted,
  answeredInside,
  appendChange,
  intervalOf,
  publishEvents,
  withdrawCounted
} from "../feed/feed.ts"
import {
  type DeviceCount,
  type DeviceRecord,
  everyStays,
  findPremises,
  type OrganizationRecord,
  requireLevelIn,
  requirePremises,
  type State,
  type StoredPremises
} from "../state/State.ts"
import { takeMoment } from "../state/moments.ts"
import { addPolicyEntry, atomically, recording } from "../state/atomically.ts"
import { keepDevice, requireDevice } from "./DeviceStore.ts"

/** What a device counted at premises. */
const countOf = ({ counts }: DeviceRecord, key: string): DeviceCount =>
  counts.get(key) ?? { newest: 0, epochs: new Map(), drift: NO_DRIFT }

/** Changes the drift of a device at premises, unless the device was removed. */
const writeDrift = (
  { devices }: OrganizationRecord,
  deviceId: DeviceId,
  key: string,
  change: (drift: Drift) => Drift
): void => {
  const record = devices.get(deviceId)
  if (record === undefined) return
  const count = countOf(record, key)
  record.counts.set(key, { ...count, drift: change(count.drift) })
}

/** Corrects the number of premises. With a publishing interval it takes the place of what is counted until the next multiple. */
const correct = (
  state: State,
  { organization, stays }: StoredPremises,
  premises: Premises,
  counted: number,
  now: Timestamp
): void => {
  const interval = intervalOf(organization)
  const change = counted - (answeredCounted(organization, stays) ?? 0)
  if (interval !== undefined) {
    withdrawCounted(stays)
    for (const deviceId of organization.devices.keys()) {
      writeDrift(organization, deviceId, premisesKey(premises), (drift) => correctDrift(drift, interval, now))
    }
  }
  stays.counted = counted
  stays.missing = []
  stays.correctedUntil = correctedUntil(interval, now)
  if (change === 0) return
  const [entered, left] = [Math.max(0, change), Math.max(0, -change)]
  appendChange(state, stays, { entered, left, counted: change, isCorrection: true, at: now })
}

/** Corrects the number of premises to 0, if anything was counted there. */
export const resetCounted = (state: State, found: StoredPremises, now: Timestamp): void => {
  const { placeId } = found.stays.totals
  const { id } = found.organization.data
  const premises = placeId === undefined ? OrganizationPremises(id) : PlacePremises(placeId)
  if (found.stays.counted !== undefined) correct(state, found, premises, 0, now)
}

const peopleOf = (premises: Premises, { organization, stays }: StoredPremises): CountedPeople => ({
  organizationId: organization.data.id,
  premises,
  counted: answeredCounted(organization, stays) ?? 0,
  inside: answeredInside(organization, stays)
})

export const makeCountStore = (state: State): CountStore["Service"] => ({
  count: ({ deviceId, readings, now }) =>
    atomically(function* () {
      const { organization, record } = yield* requireDevice(state, deviceId)
      const interval = intervalOf(organization)
      const factsOf = (premises: Premises) => {
        if (!record.device.premises.some((one) => samePremises(one, premises))) return undefined
        const { newest, epochs } = countOf(record, premisesKey(premises))
        const { counted = 0, missing = [], correctedUntil } = findPremises(state, premises)?.stays ?? {}
        return { counted, missing, correctedUntil, newest, epochs }
      }
      const { begun, belowSince } = record
      const counter = { deviceId, now, begun }
      const { accepted, begun: begunNow, premises, seen } = yield* countReadings(readings, factsOf, counter)
      for (const [key, { counted, missing, entered, left, drift, newest, epochs, ...count }] of premises) {
        const { stays } = findPremises(state, count.premises)!
        stays.counted = counted
        stays.missing = missing
        stays.countedOut += left
        const known = countOf(record, key)
        for (const [epoch, stored] of epochs) known.epochs.set(epoch, stored)
        // They are in the order in which they began.
        for (const [epoch, { number }] of known.epochs) {
          if (isRememberedEpoch(number, newest)) break
          known.epochs.delete(epoch)
        }
        record.counts.set(key, { ...known, newest })
        for (const [id, change] of drift) {
          writeDrift(organization, id, key, (one) => changeDrift(one, change, interval, now))
        }
        if (entered + left > 0) {
          appendChange(state, stays, { entered, left, counted: entered - left, countedOut: left, at: now })
        }
      }
      const { state: before } = record.device
      const after = deviceAfterReadings({ ...record.device, belowSince }, seen, now)
      keepDevice(organization, { ...record, belowSince: after.belowSince, begun: begunNow }, after)
      if (before !== "new" && before !== after.state) {
        publishEvents(state, organization, now, [{ _tag: "DeviceChanged", deviceId, state: "ok" }])
      }
      return accepted
    }),

  get: ({ premises, administratorId }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* requireLevelIn(found.organization, administratorId, "viewer")
      return peopleOf(premises, found)
    }),

  set: ({ premises, administratorId, counted, now }) =>
    recording(state, function* () {
      const found = yield* requirePremises(state, premises)
      yield* requireLevelIn(found.organization, administratorId, "manager")
      const before = peopleOf(premises, found)
      correct(state, found, premises, counted, now)
      const { organizationId } = before
      const act = countedCorrected(organizationId, premises, before.counted, counted)
      return recorded({ ...peopleOf(premises, found), counted }, act)
    }),

  reset: (now) =>
    Effect.sync(() => {
      let organizations = 0
      for (const organization of state.organizations.values()) {
        if (takeMoment(organization, "countedResetAt", now) === undefined) continue
        if (everyStays(organization).some(({ counted = 0 }) => counted > 0)) {
          addPolicyEntry(state, policyActed("countedResetAt", "counted.reset", organization.data.id), now)
        }
        for (const stays of everyStays(organization)) resetCounted(state, { organization, stays }, now)
        organizations++
      }
      return organizations
    })
})
