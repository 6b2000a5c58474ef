/** Applies the markings of people, of counts and of searched places to a muster that is locked. */
import {
  countAdded,
  isBlank,
  markSafe,
  markSwept,
  mayAdd,
  mayMark,
  musterMarked,
  type MusterCrowd,
  type MusterEntry,
  type MusterMarking,
  type MusterPerson,
  type OrgAuthServerId,
  type PlaceId,
  takeBackMarks
} from "@sojourn/core"
import { Effect, Result } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { levelsIn } from "../database/levels.ts"
import { COUNT, KNOWN_PLACES, MARK, SWEEP, UNMARK } from "./musters.sql.ts"
import {
  keyOf,
  type MusterRow,
  musterOf,
  placesColumn,
  publishMuster,
  readCrowd,
  readSome,
  sweptOf
} from "./musters.ts"

/** What a muster knows of the people whom markings name. */
interface MarkedPeople {
  readonly people: ReadonlyMap<OrgAuthServerId, MusterPerson>
  readonly entries: ReadonlyMap<OrgAuthServerId, MusterEntry>
  readonly crowd: MusterCrowd
}

const NO_CROWD: MusterCrowd = { inside: 0, added: 0 }

const byPerson = <A extends { readonly orgAuthServerId: OrgAuthServerId }>(all: ReadonlyArray<A>) =>
  new Map(all.map((one) => [one.orgAuthServerId, one]))

const readMarkedPeople = Effect.fnUntraced(function* (
  db: Database,
  muster: MusterRow,
  marked: ReadonlySet<OrgAuthServerId>
) {
  const { entries, people } = marked.size === 0 ? { entries: [], people: [] } : yield* readSome(db, muster, [...marked])
  // Only people who are not in the muster are added to it.
  const crowd = marked.size > people.length ? yield* readCrowd(db, muster) : NO_CROWD
  return { people: byPerson(people), entries: byPerson(entries), crowd } satisfies MarkedPeople
})

/** Applies markings in their order. Answers whether each changed the muster, the entries that changed, the count and the searched places. */
const applyMarkings = (
  muster: MusterRow,
  markings: ReadonlyArray<MusterMarking>,
  allowed: ReadonlyArray<ReturnType<typeof mayMark>>,
  { people, entries, crowd }: MarkedPeople
) => {
  const changed = new Map<OrgAuthServerId, MusterEntry>()
  let { added } = crowd
  let count = Number(muster.safe)
  let swept = sweptOf(muster)
  const verdicts = markings.map(({ administratorId, marking, now }, i) =>
    Result.gen(function* () {
      yield* allowed[i]!
      if (marking._tag === "MarkCount") {
        const changes = count !== marking.count
        count = marking.count
        return changes
      }
      if (marking._tag === "MarkSwept") {
        const before = swept
        swept = markSwept(before, marking, administratorId, now)
        return swept !== before
      }
      const known = [...new Set(marking.people)].flatMap((person) => changed.get(person) ?? entries.get(person) ?? [])
      const present = marking.people.flatMap((person) => people.get(person) ?? [])
      if (marking._tag === "UnmarkPeople") {
        const takenBack = takeBackMarks(known, present, marking.people)
        added -= countAdded(takenBack)
        for (const entry of takenBack) changed.set(entry.orgAuthServerId, entry)
        return takenBack.length > 0
      }
      const marked = markSafe(known, present, marking.people, now)
      const more = countAdded(marked)
      yield* mayAdd(more, { inside: crowd.inside, added })
      added += more
      for (const entry of marked) changed.set(entry.orgAuthServerId, entry)
      return marked.length > 0
    })
  )
  return { verdicts, changed: [...changed.values()], count, swept }
}

/** The places among those that markings name that the organization of the muster has. */
const readPlaces = Effect.fnUntraced(function* (
  db: Database,
  muster: MusterRow,
  markings: ReadonlyArray<MusterMarking>
) {
  const named = markings.flatMap(({ marking }) => (marking._tag === "MarkSwept" ? marking.placeId : []))
  const rows =
    named.length === 0
      ? []
      : yield* db.run<{ readonly id: PlaceId }>(KNOWN_PLACES, [
          muster.organization_id,
          arrays.bigints(named, (placeId) => placeId)
        ])
  return new Set(rows.map(({ id }) => id))
})

const writeEntries = Effect.fnUntraced(function* (
  db: Database,
  muster: MusterRow,
  entries: ReadonlyArray<MusterEntry>
) {
  const kept = entries.filter((entry) => !isBlank(entry))
  if (kept.length < entries.length) {
    const removed = entries.filter(isBlank)
    yield* db.run(UNMARK, [...keyOf(muster), arrays.texts(removed, ({ orgAuthServerId }) => orgAuthServerId)])
  }
  if (kept.length === 0) return
  yield* db.run(MARK, [
    ...keyOf(muster),
    arrays.texts(kept, ({ orgAuthServerId }) => orgAuthServerId),
    arrays.texts(kept, ({ placeIds }) => placesColumn(placeIds)),
    arrays.instants(kept, ({ since }) => since),
    arrays.instants(kept, ({ markedAt }) => markedAt)
  ])
})

/** Applies markings to a muster that is locked, in their order, and writes what they change at once. Answers the verdicts, and the acts. */
export const markAll = Effect.fnUntraced(function* (
  db: Database,
  muster: MusterRow,
  markings: ReadonlyArray<MusterMarking>
) {
  const administrators = markings.map(({ administratorId }) => administratorId)
  const levelOf = yield* levelsIn(db, muster.organization_id, administrators)
  const places = yield* readPlaces(db, muster, markings)
  const allowed = markings.map(({ administratorId, marking }) =>
    mayMark(levelOf(administratorId), musterOf(muster), marking, (placeId) => places.has(placeId))
  )
  const marked = markings.flatMap(({ marking }, i) =>
    "people" in marking && Result.isSuccess(allowed[i]!) ? marking.people : []
  )
  const known = yield* readMarkedPeople(db, muster, new Set(marked))
  const { verdicts, changed, count, swept } = applyMarkings(muster, markings, allowed, known)
  yield* writeEntries(db, muster, changed)
  if (count !== Number(muster.safe)) yield* db.run(COUNT, [...keyOf(muster), count])
  if (markings.some(({ marking }) => marking._tag === "MarkSwept")) {
    yield* db.run(SWEEP, [
      ...keyOf(muster),
      arrays.bigints(swept, ({ placeId }) => placeId),
      arrays.instants(swept, ({ at }) => at),
      arrays.texts(swept, ({ by }) => by)
    ])
  }
  const changes = markings.filter((_, i) => Result.getOrElse(verdicts[i]!, () => false))
  yield* publishMuster(
    db,
    muster,
    changes.map(() => "updated" as const)
  )
  const acts = changes.map(({ marking, author }) => ({ ...musterMarked(musterOf(muster), marking), author }))
  return { value: verdicts, acts }
})
