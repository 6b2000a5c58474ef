/** People counted by devices, kept in memory. */
import {
  countReadings,
  type CountedPeople,
  type CountFacts,
  type CountStore,
  nextReset,
  type Premises,
  premisesKey,
  REMEMBERED_EPOCHS,
  samePremises,
  type Timestamp
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import { answeredCounted, answeredInside, appendChange, publishEvents } from "../feed/feed.ts"
import {
  type DeviceRecord,
  everyStays,
  findPremises,
  levelIn,
  type PremisesStays,
  requirePremises,
  type State,
  type StoredPremises
} from "../state/State.ts"
import { atomically } from "../state/atomically.ts"
import { keepDevice, requireDevice } from "./DeviceStore.ts"

/** Keeps the epochs of a device at premises, and forgets the oldest. */
const writeEpochs = (
  { counts }: DeviceRecord,
  key: string,
  { newest, epochs }: Pick<CountFacts, "newest" | "epochs">
) => {
  const all = new Map([...(counts.get(key)?.epochs ?? []), ...epochs])
  for (const [epoch, { number }] of all) if (number <= newest - REMEMBERED_EPOCHS) all.delete(epoch)
  counts.set(key, { newest, epochs: all })
}

const correct = (state: State, stays: PremisesStays, counted: number, now: Timestamp): void => {
  const change = counted - (stays.counted ?? 0)
  stays.counted = counted
  if (change === 0) return
  const [entered, left] = [Math.max(0, change), Math.max(0, -change)]
  appendChange(state, stays, { entered, left, counted: change, isCorrection: true, at: now })
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
      const factsOf = (premises: Premises) => {
        if (!record.device.premises.some((one) => samePremises(one, premises))) return undefined
        const { newest = 0, epochs = new Map() } = record.counts.get(premisesKey(premises)) ?? {}
        return { counted: findPremises(state, premises)?.stays.counted ?? 0, newest, epochs }
      }
      const { accepted, missing, premises } = yield* countReadings(readings, factsOf)
      for (const [key, count] of premises) {
        const { stays } = findPremises(state, count.premises)!
        const { entered, left } = count
        stays.counted = count.counted
        stays.countedOut += left
        writeEpochs(record, key, count)
        if (entered + left > 0) {
          appendChange(state, stays, { entered, left, counted: entered - left, countedOut: left, at: now })
        }
      }
      const { state: before, drift } = record.device
      keepDevice(organization, record, { state: "ok", lastSeenAt: now, drift: drift + missing })
      if (before === "silent") {
        publishEvents(state, organization, now, [{ _tag: "DeviceChanged", deviceId, state: "ok" }])
      }
      return accepted
    }),

  get: ({ premises, administratorId, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* decide(levelIn(found.organization, administratorId))
      return peopleOf(premises, found)
    }),

  set: ({ premises, administratorId, counted, now, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* decide(levelIn(found.organization, administratorId))
      correct(state, found.stays, counted, now)
      return { ...peopleOf(premises, found), counted }
    }),

  reset: (now) =>
    Effect.sync(() => {
      let organizations = 0
      for (const organization of state.organizations.values()) {
        const { countedResetAt, timeZone } = organization.policy
        if (organization.resetAt === undefined || organization.resetAt > now || countedResetAt === undefined) continue
        for (const stays of everyStays(organization)) {
          if (stays.counted !== undefined) correct(state, stays, 0, now)
        }
        organization.resetAt = nextReset(countedResetAt, timeZone, now)
        organizations++
      }
      return organizations
    })
})
