import {
  firstEntries,
  markSafe,
  mayListInside,
  mayMark,
  mayStartMuster,
  type MusterId,
  MusterNotFound,
  type MusterStore,
  PersonInsideOrder,
  requireLevel
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import { answeredExits, answeredInside, tellDueOf, tellNews } from "./feed.ts"
import { insideOf, keepEntries, openMuster, openStays, reportOf } from "./musters.ts"
import { everyStays, findOrganization, levelIn, type MusterRecord, requirePremises, type State } from "./State.ts"

const requireMuster = (state: State, musterId: MusterId) => {
  const owner = state.organizationByMuster.get(musterId)
  const record = owner?.musters.get(musterId)
  return owner === undefined || record === undefined
    ? Result.fail(new MusterNotFound({ musterId }))
    : Result.succeed({ owner, record })
}

/** Musters kept in memory. */
export const makeMusterStore = (state: State): MusterStore["Service"] => ({
  inside: (administratorId, premises) =>
    atomically(function* () {
      const { owner, stays } = yield* requirePremises(state, premises)
      yield* mayListInside(levelIn(owner, administratorId), owner.organization.trackingMode, premises)
      const all = premises._tag === "OrganizationPremises" ? everyStays(owner) : [stays]
      return all.flatMap(insideOf).sort(PersonInsideOrder)
    }),

  start: ({ organizationId, administratorId, kind, note, now }) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      yield* mayStartMuster(levelIn(owner, administratorId), openMuster(owner)?.muster.id)
      tellDueOf(state, owner, now)
      const id = ++state.lastId.muster as MusterId
      const mode = owner.organization.trackingMode
      const entries = mode === "authenticated" ? firstEntries(openStays(owner)) : []
      const record: MusterRecord = {
        muster: { id, organizationId, mode, kind, note, startedAt: now, startedBy: administratorId },
        entries: new Map(entries.map((entry) => [entry.orgAuthServerId, entry])),
        stays: new Set(everyStays(owner).flatMap(({ open }) => [...open.keys()])),
        lastStay: state.lastId.stay,
        inside: answeredInside(owner, owner.stays),
        exits: answeredExits(owner, owner.stays),
        count: 0
      }
      owner.musters.set(id, record)
      state.organizationByMuster.set(id, owner)
      tellNews(state, owner, now, [{ _tag: "MusterChanged", musterId: id, state: "started" }])
      return reportOf(owner, record)
    }),

  list: (administratorId, organizationId) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      yield* requireLevel(levelIn(owner, administratorId), "viewer")
      return [...owner.musters.values()].reverse().map((record) => {
        const { people: _, ...muster } = reportOf(owner, record)
        return muster
      })
    }),

  get: (administratorId, musterId) =>
    atomically(function* () {
      const { owner, record } = yield* requireMuster(state, musterId)
      yield* requireLevel(levelIn(owner, administratorId), "viewer")
      return reportOf(owner, record)
    }),

  mark: ({ musterId, administratorId, marking, now }) =>
    atomically(function* () {
      const { owner, record } = yield* requireMuster(state, musterId)
      yield* mayMark(levelIn(owner, administratorId), record.muster, marking)
      const before = reportOf(owner, record)
      const entries =
        marking._tag === "MarkPeople"
          ? markSafe([...record.entries.values()], before.people ?? [], marking.people, now)
          : []
      const count = marking._tag === "MarkCount" ? marking.count : record.count
      if (entries.length === 0 && count === record.count) return before
      keepEntries(record, entries)
      const marked = { ...record, count }
      owner.musters.set(musterId, marked)
      tellNews(state, owner, now, [{ _tag: "MusterChanged", musterId, state: "updated" }])
      return reportOf(owner, marked)
    }),

  end: ({ musterId, administratorId, now }) =>
    atomically(function* () {
      const { owner, record } = yield* requireMuster(state, musterId)
      yield* requireLevel(levelIn(owner, administratorId), "manager")
      if (record.ended !== undefined) return reportOf(owner, record)
      const { inside, safe, left, missing, people = [] } = reportOf(owner, record)
      const ended: MusterRecord = {
        ...record,
        muster: { ...record.muster, endedAt: now },
        ended: { numbers: { inside, safe, left, missing }, people }
      }
      record.entries.clear()
      owner.musters.set(musterId, ended)
      tellNews(state, owner, now, [{ _tag: "MusterChanged", musterId, state: "ended" }])
      return reportOf(owner, ended)
    }),

  forget: (before, most) =>
    Effect.sync(() => {
      const old = [...state.organizationByMuster].filter(([id, { musters }]) => {
        const endedAt = musters.get(id)?.muster.endedAt
        return endedAt !== undefined && endedAt < before
      })
      const forgotten = old.slice(0, most)
      for (const [id, { musters }] of forgotten) {
        musters.delete(id)
        state.organizationByMuster.delete(id)
      }
      return forgotten.length
    })
})
