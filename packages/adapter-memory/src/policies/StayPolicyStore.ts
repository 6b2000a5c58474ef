/** Stay policies kept in memory, and what sweeps abandon and forget. */
import {
  accessesForgotten,
  type Act,
  isOverdue,
  isPastRetention,
  isLeaseDue,
  momentsAfterChange,
  type OrganizationId,
  overdueAbandoned,
  policyUpdated,
  recorded,
  type StayPolicyStore,
  type SweepBatch
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { addPolicyEntry, atomically, recording } from "../state/atomically.ts"
import { publishEvents } from "../feed/feed.ts"
import { abandonStays } from "../stays/abandoning.ts"
import {
  everyStays,
  findOrganization,
  type OrganizationRecord,
  type PremisesStays,
  type State
} from "../state/State.ts"

const hasPolicy = ({ policy }: OrganizationRecord): boolean =>
  policy.longestStay !== undefined || policy.retention !== undefined

/** Removes accesses past retention from one premises. Returns how many. */
const forgetIn = (stays: PremisesStays, { policy }: OrganizationRecord, { now, most }: SweepBatch): number => {
  const old = [...stays.closed.values()].filter(({ exit }) => isPastRetention(policy, exit, now)).slice(0, most)
  for (const { id } of old) {
    stays.closed.delete(id)
    stays.imported.delete(id)
  }
  for (const person of new Set(old.flatMap(({ orgAuthServerId }) => orgAuthServerId ?? []))) {
    const kept = stays.closedByPerson.get(person)?.filter(({ id }) => stays.closed.has(id)) ?? []
    if (kept.length === 0) stays.closedByPerson.delete(person)
    else stays.closedByPerson.set(person, kept)
  }
  return old.length
}

/** Abandons overdue stays of one premises. Returns how many. */
const abandonIn = (
  stays: PremisesStays,
  organization: OrganizationRecord,
  { now, most }: SweepBatch,
  state: State
): number => {
  const overdue = [...stays.open.values()].filter(({ id }) =>
    isOverdue(organization.policy, stays.recorded.get(id) ?? now, now)
  )
  return abandonStays(state, organization, stays, overdue.slice(0, most), now)
}

export const makeStayPolicyStore = (state: State): StayPolicyStore["Service"] => {
  /** Runs a batch premises by premises, unless a later lease was taken. */
  const sweep = (one: typeof abandonIn, actIn: (organizationId: OrganizationId) => Act) => (batch: SweepBatch) =>
    Effect.sync(() => {
      const { organizationId, number } = batch.lease
      const organization = state.organizations.get(organizationId)
      if (organization === undefined || organization.lease.number !== number) return 0
      let swept = 0
      for (const stays of everyStays(organization)) {
        swept += one(stays, organization, { ...batch, most: batch.most - swept }, state)
      }
      if (batch.isFirst && swept > 0) addPolicyEntry(state, actIn(organizationId), batch.now)
      return swept
    })

  return {
    get: (organizationId) =>
      atomically(function* () {
        return (yield* findOrganization(state, organizationId)).policy
      }),

    change: ({ organizationId, decide }) =>
      recording(state, function* (now) {
        const organization = yield* findOrganization(state, organizationId)
        const before = organization.policy
        const after = decide(before)
        organization.policy = after
        organization.moments = momentsAfterChange({ before, after, next: organization.moments, now })
        if (after.timeZone !== before.timeZone) {
          organization.data = { ...organization.data, timeZone: after.timeZone }
          publishEvents(state, organization, now, [{ _tag: "OrganizationChanged", changed: "updated" }])
        }
        return recorded(after, policyUpdated(organizationId, before, after))
      }),

    list: Effect.sync(() => [...state.organizations.values()].filter(hasPolicy).map(({ data }) => data.id)),

    takeLease: ({ organizationId, every, now }) =>
      Effect.sync(() => {
        const organization = state.organizations.get(organizationId)
        if (
          organization === undefined ||
          !hasPolicy(organization) ||
          !isLeaseDue({ last: organization.lease.taken, every, now })
        )
          return Option.none()
        organization.lease = { number: organization.lease.number + 1n, taken: now }
        return Option.some({ organizationId, number: organization.lease.number })
      }),

    abandon: sweep(abandonIn, overdueAbandoned),
    forget: sweep(forgetIn, accessesForgotten),
    forgetAtOnce: () => Effect.succeed(0)
  }
}
