import {
  type Act,
  countAdded,
  firstEntries,
  markSafe,
  type Marking,
  markSwept,
  mayAdd,
  mayListInside,
  mayMark,
  mayStartMuster,
  musterCrowd,
  musterEnded,
  type MusterId,
  musterMarked,
  type MusterMarking,
  MusterNotFound,
  musterPeople,
  musterStarted,
  type MusterStore,
  PersonInsideOrder,
  recorded,
  takeBackMarks,
  type Timestamp
} from "@sojourn/core"
import { Effect, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { publishDueOf, publishEvents } from "../feed/feed.ts"
import { beginCounting, insideOf, keepEntries, musterStays, openMuster, openStays, reportOf } from "./musters.ts"
import {
  everyStays,
  findOrganization,
  levelIn,
  type MusterRecord,
  type OrganizationRecord,
  requireLevelIn,
  requirePremises,
  type State
} from "../state/State.ts"

const requireMuster = (state: State, musterId: MusterId) => {
  const organization = state.organizationByMuster.get(musterId)
  const record = organization?.musters.get(musterId)
  return organization === undefined || record === undefined
    ? Result.fail(new MusterNotFound({ musterId }))
    : Result.succeed({ organization, record })
}

/** Marks people of a muster, or takes their marks back. Answers whether this changes anything. */
const markPeople = (
  organization: OrganizationRecord,
  record: MusterRecord,
  { _tag, people }: Extract<Marking, { readonly people: unknown }>,
  now: Timestamp
) =>
  Result.gen(function* () {
    const entries = people.flatMap((person) => record.entries.get(person) ?? [])
    const present = musterPeople(entries, musterStays(organization, record, new Set(people)))
    const changed =
      _tag === "MarkPeople" ? markSafe(entries, present, people, now) : takeBackMarks(entries, present, people)
    const added = _tag === "MarkPeople" ? countAdded(changed) : 0
    if (added > 0) yield* mayAdd(added, musterCrowd(record.entries.values(), musterStays(organization, record)))
    keepEntries(record, changed)
    return changed.length > 0
  })

/** Applies a marking to a muster. Answers whether this changes anything. */
const mark = (
  state: State,
  organization: OrganizationRecord,
  record: MusterRecord,
  { administratorId, marking, now }: MusterMarking
) =>
  Result.gen(function* () {
    const { id: musterId, swept = [] } = record.muster
    yield* mayMark(levelIn(organization, administratorId), record.muster, marking, (placeId) =>
      organization.places.has(placeId)
    )
    if (marking._tag === "MarkCount") {
      if (marking.count === record.count) return false
      organization.musters.set(musterId, { ...record, count: marking.count })
    } else if (marking._tag === "MarkSwept") {
      const after = markSwept(swept, marking, administratorId, now)
      if (after === swept) return false
      organization.musters.set(musterId, { ...record, muster: { ...record.muster, swept: after } })
    } else if (!(yield* markPeople(organization, record, marking, now))) return false
    publishEvents(state, organization, now, [{ _tag: "MusterChanged", musterId, state: "updated" }])
    return true
  })

/** Ends a muster. Answers whether this changes anything. */
const end = (state: State, organization: OrganizationRecord, record: MusterRecord, now: Timestamp): boolean => {
  if (record.ended !== undefined) return false
  const { id: musterId } = record.muster
  const { inside, safe, left, missing, counted, people = [] } = reportOf(organization, record)
  organization.musters.set(musterId, {
    ...record,
    muster: { ...record.muster, endedAt: now, counted },
    ended: { numbers: { inside, safe, left, missing }, people }
  })
  record.entries.clear()
  publishEvents(state, organization, now, [{ _tag: "MusterChanged", musterId, state: "ended" }])
  return true
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
      const { organization, stays } = yield* requirePremises(state, premises)
      return answered(
        readers,
        (reader) => mayListInside(levelIn(organization, reader), organization.data.trackingMode, premises),
        () => {
          const all = premises._tag === "OrganizationPremises" ? everyStays(organization) : [stays]
          return all.flatMap(insideOf).sort(PersonInsideOrder)
        }
      )
    }),

  start: ({ organizationId, administratorId, kind, note, now }) =>
    recording(state, function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* mayStartMuster(levelIn(organization, administratorId), openMuster(organization)?.muster.id)
      publishDueOf(state, organization, now)
      const id = ++state.lastId.muster as MusterId
      const mode = organization.data.trackingMode
      const entries = mode === "authenticated" ? firstEntries(openStays(organization)) : []
      const record: MusterRecord = {
        muster: { id, organizationId, mode, kind, note, startedAt: now, startedBy: administratorId },
        entries: new Map(entries.map((entry) => [entry.orgAuthServerId, entry])),
        stays: new Set(everyStays(organization).flatMap(({ open }) => [...open.keys()])),
        lastStay: state.lastId.stay,
        ...beginCounting(organization),
        count: 0
      }
      organization.musters.set(id, record)
      state.organizationByMuster.set(id, organization)
      publishEvents(state, organization, now, [{ _tag: "MusterChanged", musterId: id, state: "started" }])
      return recorded(reportOf(organization, record), musterStarted(record.muster))
    }),

  list: (organizationId, readers) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      return answered(
        readers,
        (reader) => requireLevelIn(organization, reader, "viewer"),
        () =>
          [...organization.musters.values()]
            .reverse()
            .map((record) => {
              const { people: _, ...muster } = reportOf(organization, record)
              return muster
            })
            .sort((one, other) => other.startedAt - one.startedAt)
      )
    }),

  get: (musterId, readers) =>
    atomically(function* () {
      const { organization, record } = yield* requireMuster(state, musterId)
      return answered(
        readers,
        (reader) => requireLevelIn(organization, reader, "viewer"),
        () => reportOf(organization, record)
      )
    }),

  mark: (musterId, markings) =>
    recording(state, function* () {
      const { organization, record } = yield* requireMuster(state, musterId)
      const acts: Array<Act> = []
      const value = answered(
        markings,
        (marking) =>
          Result.map(mark(state, organization, organization.musters.get(musterId)!, marking), (hasChanged) => {
            if (hasChanged) acts.push({ ...musterMarked(record.muster, marking.marking), author: marking.author })
          }),
        () => reportOf(organization, organization.musters.get(musterId)!)
      )
      return { value, acts }
    }),

  end: (musterId, endings) =>
    recording(state, function* () {
      const { organization, record } = yield* requireMuster(state, musterId)
      const acts: Array<Act> = []
      const value = answered(
        endings,
        ({ administratorId, now, author }) =>
          Result.map(requireLevelIn(organization, administratorId, "manager"), () => {
            const isEnding = end(state, organization, organization.musters.get(musterId)!, now)
            if (isEnding) acts.push({ ...musterEnded(record.muster), author })
          }),
        () => reportOf(organization, organization.musters.get(musterId)!)
      )
      return { value, acts }
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
