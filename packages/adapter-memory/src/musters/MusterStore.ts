import {
  countAdded,
  firstEntries,
  markSafe,
  mayAdd,
  mayListInside,
  mayMark,
  mayStartMuster,
  musterCrowd,
  type MusterId,
  type MusterMarking,
  MusterNotFound,
  musterPeople,
  type MusterStore,
  PersonInsideOrder,
  requireLevel,
  type Timestamp
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { atomically } from "../state/atomically.ts"
import { answeredExits, answeredInside, publishDueOf, publishEvents } from "../feed/feed.ts"
import { insideOf, keepEntries, musterStays, openMuster, openStays, reportOf } from "./musters.ts"
import {
  everyStays,
  findOrganization,
  levelIn,
  type MusterRecord,
  type OrganizationRecord,
  requirePremises,
  type State
} from "../state/State.ts"

const requireMuster = (state: State, musterId: MusterId) => {
  const owner = state.organizationByMuster.get(musterId)
  const record = owner?.musters.get(musterId)
  return owner === undefined || record === undefined
    ? Result.fail(new MusterNotFound({ musterId }))
    : Result.succeed({ owner, record })
}

/** Marks people of a muster, or keeps their count. */
const mark = (
  state: State,
  owner: OrganizationRecord,
  record: MusterRecord,
  { administratorId, marking, now }: MusterMarking
) =>
  Result.gen(function* () {
    const { id: musterId } = record.muster
    yield* mayMark(levelIn(owner, administratorId), record.muster, marking)
    if (marking._tag === "MarkPeople") {
      const entries = marking.people.flatMap((person) => record.entries.get(person) ?? [])
      const present = musterPeople(entries, musterStays(owner, record, new Set(marking.people)))
      const changed = markSafe(entries, present, marking.people, now)
      if (changed.length === 0) return
      const added = countAdded(changed)
      if (added > 0) yield* mayAdd(added, musterCrowd(record.entries.values(), musterStays(owner, record)))
      keepEntries(record, changed)
    } else {
      if (marking.count === record.count) return
      owner.musters.set(musterId, { ...record, count: marking.count })
    }
    publishEvents(state, owner, now, [{ _tag: "MusterChanged", musterId, state: "updated" }])
  })

/** Ends a muster, unless it has ended. */
const end = (state: State, owner: OrganizationRecord, record: MusterRecord, now: Timestamp): void => {
  if (record.ended !== undefined) return
  const { id: musterId } = record.muster
  const { inside, safe, left, missing, people = [] } = reportOf(owner, record)
  owner.musters.set(musterId, {
    ...record,
    muster: { ...record.muster, endedAt: now },
    ended: { numbers: { inside, safe, left, missing }, people }
  })
  record.entries.clear()
  publishEvents(state, owner, now, [{ _tag: "MusterChanged", musterId, state: "ended" }])
}

/** Answers those calls that are not refused with what is read once. */
const answered = <Call, A, E>(
  calls: ReadonlyArray<Call>,
  verdict: (call: Call) => Result.Result<unknown, E>,
  read: () => A
): ReadonlyArray<Result.Result<A, E>> => {
  const verdicts = calls.map(verdict)
  if (verdicts.every(Result.isFailure)) return verdicts as ReadonlyArray<Result.Failure<A, E>>
  const answer = read()
  return verdicts.map(Result.map(() => answer))
}

/** Musters kept in memory. */
export const makeMusterStore = (state: State): MusterStore["Service"] => ({
  inside: (premises, readers) =>
    atomically(function* () {
      const { owner, stays } = yield* requirePremises(state, premises)
      return answered(
        readers,
        (reader) => mayListInside(levelIn(owner, reader), owner.organization.trackingMode, premises),
        () => {
          const all = premises._tag === "OrganizationPremises" ? everyStays(owner) : [stays]
          return all.flatMap(insideOf).sort(PersonInsideOrder)
        }
      )
    }),

  start: ({ organizationId, administratorId, kind, note, now }) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      yield* mayStartMuster(levelIn(owner, administratorId), openMuster(owner)?.muster.id)
      publishDueOf(state, owner, now)
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
      publishEvents(state, owner, now, [{ _tag: "MusterChanged", musterId: id, state: "started" }])
      return reportOf(owner, record)
    }),

  list: (organizationId, readers) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      return answered(
        readers,
        (reader) => requireLevel(levelIn(owner, reader), "viewer"),
        () =>
          [...owner.musters.values()].reverse().map((record) => {
            const { people: _, ...muster } = reportOf(owner, record)
            return muster
          })
      )
    }),

  get: (musterId, readers) =>
    atomically(function* () {
      const { owner, record } = yield* requireMuster(state, musterId)
      return answered(
        readers,
        (reader) => requireLevel(levelIn(owner, reader), "viewer"),
        () => reportOf(owner, record)
      )
    }),

  mark: (musterId, markings) =>
    atomically(function* () {
      const { owner } = yield* requireMuster(state, musterId)
      return answered(
        markings,
        (marking) => mark(state, owner, owner.musters.get(musterId)!, marking),
        () => reportOf(owner, owner.musters.get(musterId)!)
      )
    }),

  end: (musterId, endings) =>
    atomically(function* () {
      const { owner } = yield* requireMuster(state, musterId)
      return answered(
        endings,
        ({ administratorId, now }) =>
          Result.map(requireLevel(levelIn(owner, administratorId), "manager"), () =>
            end(state, owner, owner.musters.get(musterId)!, now)
          ),
        () => reportOf(owner, owner.musters.get(musterId)!)
      )
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
