/** The rows of musters, and what they say in one moment. */
import {
  type AdministratorId,
  anonymousNumbers,
  byPerson,
  countStates,
  type Muster,
  type MusterCrowd,
  type MusterEntry,
  type MusterId,
  type MusterKind,
  MusterNotFound,
  type MusterNumbers,
  type MusterPerson,
  type MusterReport,
  type MusterState,
  type OrganizationId,
  type OrgAuthServerId,
  type PlaceId,
  type SweptPlace,
  type TrackingMode
} from "@sojourn/core"
import { Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { lockOrganization } from "../database/locks.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { idsOf, instantOf, numberOf, requireRow, timestampOf } from "../database/rows.ts"
import { publishEvents } from "../feed/publishEvents.ts"
import {
  CHANGES,
  COUNT_PEOPLE,
  CROWD,
  FROZEN_PEOPLE,
  MUSTER,
  PEOPLE,
  READ_COUNTED,
  SOME_PEOPLE
} from "./musters.sql.ts"

interface Numbers {
  readonly inside: bigint
  readonly safe: bigint
  readonly departed: bigint
  readonly missing: bigint
}

export interface MusterRow extends Numbers {
  readonly organization_id: OrganizationId
  readonly id: MusterId
  readonly mode: TrackingMode
  readonly kind: MusterKind
  readonly note: string | null
  readonly started_at: Date
  readonly started_by: AdministratorId
  readonly ended_at: Date | null
  readonly counted: bigint | null
  readonly premises: ReadonlyArray<bigint>
  readonly entered: bigint
  readonly exits: bigint
  readonly swept_places: ReadonlyArray<PlaceId>
  readonly swept_ats: ReadonlyArray<Date>
  readonly swept_by: ReadonlyArray<AdministratorId>
}

export interface EntryRow {
  readonly place_ids: string
  readonly since: Date | null
  readonly marked_at: Date | null
  readonly state: MusterState | null
  readonly at: Date | null
}

interface PersonRow extends EntryRow {
  readonly person: OrgAuthServerId
}

/** The key of a muster: the first parameters of its statements. */
export const keyOf = ({ organization_id: organizationId, id }: MusterRow) => [organizationId, id]

export const placesColumn = (placeIds: ReadonlyArray<PlaceId>): string => `{${placeIds.join()}}`

const personOf = (row: PersonRow): MusterPerson => ({
  orgAuthServerId: row.person,
  placeIds: idsOf<PlaceId>(row.place_ids),
  since: instantOf(row.since),
  state: row.state!,
  at: instantOf(row.at)
})

export const entryOf = (row: EntryRow, orgAuthServerId: OrgAuthServerId) => ({
  orgAuthServerId,
  placeIds: idsOf<PlaceId>(row.place_ids),
  since: instantOf(row.since),
  markedAt: instantOf(row.marked_at),
  state: row.state ?? undefined,
  at: instantOf(row.at)
})

/** The places of a muster that were searched. */
export const sweptOf = (row: Pick<MusterRow, "swept_places" | "swept_ats" | "swept_by">): ReadonlyArray<SweptPlace> =>
  row.swept_places.map((placeId, nth) => ({
    placeId,
    at: timestampOf(row.swept_ats[nth]!),
    by: row.swept_by[nth]!
  }))

export const musterOf = (row: MusterRow): Omit<Muster, "inside" | "safe" | "left" | "missing"> => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  kind: row.kind,
  note: row.note ?? undefined,
  startedAt: timestampOf(row.started_at),
  startedBy: row.started_by,
  endedAt: instantOf(row.ended_at),
  counted: numberOf(row.counted),
  swept: row.swept_places.length === 0 ? undefined : sweptOf(row)
})

const numbersOf = ({ inside, safe, departed, missing }: Numbers): MusterNumbers => ({
  inside: Number(inside),
  safe: Number(safe),
  left: Number(departed),
  missing: Number(missing)
})

/** Reads a muster; fails where there is none. */
export const requireMuster = (db: Database, musterId: MusterId) =>
  requireRow(db.run<MusterRow>(MUSTER, [musterId]), () => new MusterNotFound({ musterId }))

/** The same; the muster does not change until the transaction ends. */
export const lockMuster = Effect.fnUntraced(function* (db: Database, musterId: MusterId) {
  const { organization_id } = yield* requireMuster(db, musterId)
  yield* lockOrganization(db, organization_id)
  return yield* requireMuster(db, musterId)
})

/** Adds events of a muster to the feed of its organization. */
export const publishMuster = (
  db: Database,
  { id: musterId, organization_id }: MusterRow,
  states: ReadonlyArray<"started" | "updated" | "ended">
) =>
  publishEvents(
    db,
    organization_id,
    states.map((state) => ({ _tag: "MusterChanged", musterId, state }))
  )

/** The numbers of {@link MusterRow} about the people of an open muster. */
export const countPeople = (db: Database, statement: string, muster: MusterRow) =>
  Effect.map(db.run<Numbers>(statement, keyOf(muster)), ([row]) => numbersOf(row!))

/** The crowd of an open muster, by which people are added. */
export const readCrowd = (db: Database, muster: MusterRow) =>
  Effect.map(
    db.run<{ readonly inside: bigint; readonly added: bigint }>(CROWD, keyOf(muster)),
    ([row]): MusterCrowd => ({ inside: Number(row!.inside), added: Number(row!.added) })
  )

/** Some people of an open muster, with their entries. */
export const readSome = (db: Database, muster: MusterRow, people: ReadonlyArray<OrgAuthServerId>) =>
  Effect.map(db.run<PersonRow>(SOME_PEOPLE, [...keyOf(muster), arrays.texts(people, (person) => person)]), (rows) => ({
    entries: rows.map((row): MusterEntry => entryOf(row, row.person)),
    people: rows.map(personOf)
  }))

const readPeople = (db: Database, muster: MusterRow) =>
  (muster.ended_at === null
    ? db.run<PersonRow>(PEOPLE, keyOf(muster))
    : db.run<PersonRow>(FROZEN_PEOPLE, keyOf(muster))
  ).pipe(
    Effect.flatMap((rows) => mapInPortions(rows, personOf)),
    Effect.map((people) => people.sort(byPerson))
  )

/** The numbers of an anonymous muster that is open. */
const readNumbers = (db: Database, muster: MusterRow) =>
  Effect.map(
    db.run<{ readonly entered: bigint; readonly exits: bigint }>(CHANGES, [
      muster.organization_id,
      muster.premises,
      muster.entered,
      muster.exits
    ]),
    ([row]) => {
      const { inside, safe } = numbersOf(muster)
      return anonymousNumbers({ inside, entered: Number(row!.entered), exits: Number(row!.exits) }, safe)
    }
  )

/** A muster without its numbers, as it is now or was at its end. */
const readMuster = Effect.fnUntraced(function* (db: Database, muster: MusterRow) {
  if (muster.ended_at !== null) return musterOf(muster)
  const [row] = yield* db.run<Pick<MusterRow, "counted">>(READ_COUNTED, [muster.organization_id])
  return musterOf({ ...muster, counted: row?.counted ?? null })
})

/** A muster as it is now, or was at its end. */
export const readReport = Effect.fnUntraced(function* (db: Database, muster: MusterRow) {
  if (muster.mode === "anonymous") return yield* readSummary(db, muster)
  const people = yield* readPeople(db, muster)
  const numbers = muster.ended_at === null ? countStates(people) : numbersOf(muster)
  return { ...(yield* readMuster(db, muster)), ...numbers, people } satisfies MusterReport
})

/** A muster of a list: without its people. */
export const readSummary = Effect.fnUntraced(function* (db: Database, muster: MusterRow) {
  const numbers =
    muster.ended_at !== null
      ? numbersOf(muster)
      : yield* muster.mode === "anonymous" ? readNumbers(db, muster) : countPeople(db, COUNT_PEOPLE, muster)
  return { ...(yield* readMuster(db, muster)), ...numbers } satisfies Muster
})
