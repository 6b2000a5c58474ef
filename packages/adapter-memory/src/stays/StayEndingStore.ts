/** Ends of stays that no exit ended, in memory. */
import {
  endedStay,
  isEndedDaily,
  mayEndStays,
  policyActed,
  type Premises,
  premisesCleared,
  recorded,
  type StayEndingStore,
  type StayId,
  staysEnded
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { resetCounted } from "../devices/CountStore.ts"
import { answeredCounted, answeredInside, intervalOf } from "../feed/feed.ts"
import { takeMoment } from "../state/moments.ts"
import { addPolicyEntry, recording } from "../state/atomically.ts"
import {
  endOpen,
  everyStays,
  levelIn,
  type PremisesStays,
  requireLevelIn,
  requirePremises,
  type State,
  type StoredPremises
} from "../state/State.ts"
import { abandonStays } from "./abandoning.ts"
import { keepClosed } from "./StayLog.ts"

/** The stays of premises, and of the places of an organization where they are meant as well. */
const staysOf = (
  { organization, stays }: StoredPremises,
  { premises, withPlaces }: { readonly premises: Premises; readonly withPlaces: boolean }
): ReadonlyArray<PremisesStays> =>
  withPlaces && premises._tag === "OrganizationPremises" ? everyStays(organization) : [stays]

export const makeStayEndingStore = (state: State): StayEndingStore["Service"] => ({
  end: ({ people, claim, administratorId, ...asked }) =>
    recording(state, function* () {
      const found = yield* requirePremises(state, asked.premises)
      const { organization } = found
      yield* mayEndStays(levelIn(organization, administratorId), organization.data.trackingMode, asked.premises, claim)
      let ended = 0
      const endedPeople = new Set<string>()
      for (const stays of staysOf(found, asked)) {
        for (const person of new Set(people)) {
          const open = stays.openByPerson.get(person)
          const closed = open && Option.getOrUndefined(endedStay(open, claim))
          if (open === undefined || closed === undefined) continue
          endOpen(stays, open)
          keepClosed(state, stays, { ...closed, id: ++state.lastId.stay as StayId }, claim.now)
          ended++
          endedPeople.add(person)
        }
      }
      return recorded(ended, staysEnded(organization.data.id, asked.premises, people, endedPeople.size))
    }),

  clear: ({ administratorId, now, ...asked }) =>
    recording(state, function* () {
      const found = yield* requirePremises(state, asked.premises)
      const { organization } = found
      yield* requireLevelIn(organization, administratorId, "manager")
      const cleared = { ended: 0, counted: 0 }
      const isInhabited = staysOf(found, asked).some(({ open, counted = 0 }) => open.size > 0 || counted > 0)
      for (const stays of staysOf(found, asked)) {
        const [inside, counted] = [answeredInside(organization, stays), answeredCounted(organization, stays) ?? 0]
        cleared.counted += counted
        resetCounted(state, { organization, stays }, now)
        const ended = abandonStays(state, organization, stays, [...stays.open.values()], now)
        cleared.ended += intervalOf(organization) === undefined ? ended : inside - counted
      }
      return recorded(cleared, isInhabited ? premisesCleared(organization.data.id, asked.premises) : undefined)
    }),

  endDue: (now) =>
    Effect.sync(() => {
      let organizations = 0
      for (const organization of state.organizations.values()) {
        const moment = takeMoment(organization, "staysEndAt", now)
        if (moment === undefined) continue
        let ended = 0
        for (const stays of everyStays(organization)) {
          const due = [...stays.open.values()].filter(({ id }) => isEndedDaily(stays.recorded.get(id) ?? now, moment))
          ended += abandonStays(state, organization, stays, due, now)
        }
        if (ended > 0) addPolicyEntry(state, policyActed("staysEndAt", "stay.abandon", organization.data.id), now)
        organizations++
      }
      return organizations
    })
})
