/** Applies the markings of people, and of counts, to a muster that is locked. */
import {
  countAdded,
  markSafe,
  mayAdd,
  mayMark,
  type MusterCrowd,
  type MusterEntry,
  type MusterMarking,
  type MusterPerson,
  type OrgAuthServerId
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { levelsIn } from "../database/levels.ts"
import { COUNT, MARK } from "./musters.sql.ts"
import { keyOf, type MusterRow, musterOf, placesColumn, publishMuster, readCrowd, readSome } from "./musters.ts"

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

/** Applies markings in their order. Answers whether each changed the muster, the entries that changed, and the count. */
const applyMarkings = (
  muster: MusterRow,
  markings: ReadonlyArray<MusterMarking>,
  allowed: ReadonlyArray<ReturnType<typeof mayMark>>,
  { people, entries, crowd }: MarkedPeople
) => {
  const changed = new Map<OrgAuthServerId, MusterEntry>()
  let { added } = crowd
  let count = Number(muster.safe)
  const verdicts = markings.map(({ marking, now }, i) =>
    Result.gen(function* () {
      yield* allowed[i]!
      if (marking._tag === "MarkCount") {
        const changes = count !== marking.count
        count = marking.count
        return changes
      }
      const marked = markSafe(
        marking.people.flatMap((person) => changed.get(person) ?? entries.get(person) ?? []),
        marking.people.flatMap((person) => people.get(person) ?? []),
        marking.people,
        now
      )
      const more = countAdded(marked)
      yield* mayAdd(more, { inside: crowd.inside, added })
      added += more
      for (const entry of marked) changed.set(entry.orgAuthServerId, entry)
      return marked.length > 0
    })
  )
  return { verdicts, changed: [...changed.values()], count }
}

/** Applies markings to a muster that is locked, in their order, and writes what they change at once. Answers the verdicts. */
export const markAll = Effect.fnUntraced(function* (
  db: Database,
  muster: MusterRow,
  markings: ReadonlyArray<MusterMarking>
) {
  const administrators = markings.map(({ administratorId }) => administratorId)
  const levelOf = yield* levelsIn(db, muster.organization_id, administrators)
  const allowed = markings.map(({ administratorId, marking }) =>
    mayMark(levelOf(administratorId), musterOf(muster), marking)
  )
  const marked = markings.flatMap(({ marking }, i) =>
    marking._tag === "MarkPeople" && Result.isSuccess(allowed[i]!) ? marking.people : []
  )
  const known = yield* readMarkedPeople(db, muster, new Set(marked))
  const { verdicts, changed, count } = applyMarkings(muster, markings, allowed, known)
  if (changed.length > 0) {
    yield* db.run(MARK, [
      ...keyOf(muster),
      arrays.texts(changed, ({ orgAuthServerId }) => orgAuthServerId),
      arrays.texts(changed, ({ placeIds }) => placesColumn(placeIds)),
      arrays.instants(changed, ({ since }) => since),
      arrays.instants(changed, ({ markedAt }) => markedAt)
    ])
  }
  if (count !== Number(muster.safe)) yield* db.run(COUNT, [...keyOf(muster), count])
  yield* publishMuster(
    db,
    muster,
    verdicts.flatMap((verdict) => (Result.isSuccess(verdict) && verdict.success ? "updated" : []))
  )
  return verdicts
})
