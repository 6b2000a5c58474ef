/** The audit kept in memory, in the order in which entries were added. */
import {
  type AuditEntry,
  type AuditLog,
  AuditOrder,
  type AuditPage,
  type AuditQuery,
  isInAudit,
  PERSON_READ,
  READINGS_MERGED_MS
} from "@sojourn/core"
import { Effect } from "effect"
import { addEntry, atomically } from "../state/atomically.ts"
import { findOrganization, requireLevelIn, type State } from "../state/State.ts"

const pageOf = (entries: ReadonlyArray<AuditEntry>, { after, limit, ...query }: AuditQuery): AuditPage => {
  const listed = entries
    .filter((entry) => isInAudit(entry, query) && (after === undefined || AuditOrder(after, entry) < 0))
    .sort(AuditOrder)
  return { entries: listed.slice(0, limit), hasMore: listed.length > limit }
}

const isSame = (one: object | undefined, other: object | undefined) => JSON.stringify(one) === JSON.stringify(other)

export const makeAuditLog = (state: State): AuditLog["Service"] => ({
  list: ({ organizationId, administratorId, ...query }) =>
    atomically(function* () {
      yield* requireLevelIn(yield* findOrganization(state, organizationId), administratorId, "owner")
      return pageOf(
        state.audit.filter((entry) => entry.organizationId === organizationId),
        query
      )
    }),

  listAll: ({ organizationId, ...query }) =>
    Effect.sync(() =>
      pageOf(
        state.audit.filter((entry) => organizationId === undefined || entry.organizationId === organizationId),
        query
      )
    ),

  read: (reading) =>
    Effect.sync(() => {
      const { organizationId, placeId, actor, target, at, count } = reading
      const earlier = state.audit.findLastIndex(
        (entry) =>
          entry.action === PERSON_READ &&
          entry.at > at - READINGS_MERGED_MS &&
          entry.at < at + READINGS_MERGED_MS &&
          entry.organizationId === organizationId &&
          entry.placeId === placeId &&
          isSame(entry.actor, actor) &&
          isSame(entry.target, target)
      )
      const entry = state.audit[earlier]
      if (entry === undefined) addEntry(state, { ...reading, action: PERSON_READ })
      else state.audit[earlier] = { ...entry, count: Math.max(entry.count ?? 0, count) }
    }),

  forget: (before) =>
    Effect.sync(() => {
      const kept = state.audit.filter(({ at }) => at >= before)
      state.audit.splice(0, state.audit.length, ...kept)
    })
})
