/** The rows of musters, and what they say in one moment. */
import {
  type AdministratorId,
  anonymousNumbers,
  byPerson,
  countStates,
  type Muster,
  type MusterEntry,
  type MusterId,
  type MusterKind,
  type MusterPerson,
  type MusterReport,
  musterPeople,
  type MusterStay,
  type MusterState,
  type OrganizationId,
  type OrgAuthServerId,
  type PlaceId,
  type TrackingMode
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { placeOfRow } from "../feed/events.ts"
import { timestampOf } from "../stays/facts.ts"
import { ENTRIES, EXITS, STAYS } from "./musters.sql.ts"

export interface MusterRow {
  readonly organization_id: OrganizationId
  readonly id: MusterId
  readonly mode: TrackingMode
  readonly kind: MusterKind
  readonly note: string | null
  readonly started_at: Date
  readonly started_by: AdministratorId
  readonly ended_at: Date | null
  readonly last_stay: bigint
  readonly exits: bigint
  readonly inside: bigint
  readonly safe: bigint
  readonly departed: bigint
  readonly missing: bigint
}

export interface EntryRow {
  readonly place_ids: string
  readonly since: Date | null
  readonly marked_at: Date | null
  readonly state: MusterState | null
  readonly at: Date | null
}

interface StayRow {
  readonly person: OrgAuthServerId
  readonly place_id: bigint
  readonly entered_at: Date
  readonly exited_at: Date | null
}

/** What a muster is of: the first parameters of its statements. */
export const keyOf = ({ organization_id: organizationId, id }: MusterRow) => [organizationId, id]

const instantOf = (column: Date | null) => (column === null ? undefined : timestampOf(column))

/** An array of ids as PostgreSQL writes it: `{1,2}`. */
const placesOf = (column: string): ReadonlyArray<PlaceId> =>
  Array.from(column.matchAll(/\d+/g), ([id]) => BigInt(id) as PlaceId)

export const placesColumn = (placeIds: ReadonlyArray<PlaceId>): string => `{${placeIds.join()}}`

export const entryOf = (row: EntryRow, orgAuthServerId: OrgAuthServerId) => ({
  orgAuthServerId,
  placeIds: placesOf(row.place_ids),
  since: instantOf(row.since),
  markedAt: instantOf(row.marked_at),
  state: row.state ?? undefined,
  at: instantOf(row.at)
})

export const musterOf = (row: MusterRow): Omit<Muster, "inside" | "safe" | "left" | "missing"> => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  kind: row.kind,
  note: row.note ?? undefined,
  startedAt: timestampOf(row.started_at),
  startedBy: row.started_by,
  endedAt: instantOf(row.ended_at)
})

const frozenNumbers = ({ inside, safe, departed, missing }: MusterRow) => ({
  inside: Number(inside),
  safe: Number(safe),
  left: Number(departed),
  missing: Number(missing)
})

/** What an open muster keeps of people. Read after their stays: a stay that ends in between without an exit is in one of both. */
export const entriesOf = (db: Database, muster: MusterRow) =>
  Effect.map(db.run<EntryRow & { readonly person: OrgAuthServerId }>(ENTRIES, keyOf(muster)), (rows) =>
    rows.map((row) => entryOf(row, row.person))
  )

/** What an open muster keeps of people, and their stays: what `musterPeople` needs. */
export const factsOf = Effect.fnUntraced(function* (db: Database, muster: MusterRow) {
  const rows = yield* db.run<StayRow>(STAYS, [...keyOf(muster), muster.last_stay])
  const stays = rows.map((row): MusterStay => ({
    orgAuthServerId: row.person,
    placeId: placeOfRow(row),
    entrance: timestampOf(row.entered_at),
    exit: instantOf(row.exited_at)
  }))
  const entries: ReadonlyArray<MusterEntry> = yield* entriesOf(db, muster)
  return { entries, stays }
})

const frozenPeople = (db: Database, muster: MusterRow) =>
  Effect.map(entriesOf(db, muster), (entries): ReadonlyArray<MusterPerson> =>
    entries
      .map(({ orgAuthServerId, placeIds, since, state, at }) => ({
        orgAuthServerId,
        placeIds,
        since,
        state: state!,
        at
      }))
      .sort(byPerson)
  )

/** The report of an open muster about people. */
export const reportOf = (muster: MusterRow, people: ReadonlyArray<MusterPerson>): MusterReport => ({
  ...musterOf(muster),
  ...countStates(people),
  people
})

/** A muster as it is now, or was at its end. */
export const readReport = Effect.fnUntraced(function* (db: Database, muster: MusterRow) {
  const isAnonymous = muster.mode === "anonymous"
  if (muster.ended_at !== null) {
    const people = isAnonymous ? undefined : yield* frozenPeople(db, muster)
    return { ...musterOf(muster), ...frozenNumbers(muster), people } satisfies MusterReport
  }
  if (!isAnonymous) {
    const { entries, stays } = yield* factsOf(db, muster)
    return reportOf(muster, musterPeople(entries, stays))
  }
  const [row] = yield* db.run<{ readonly exits: bigint }>(EXITS, [muster.organization_id, muster.exits])
  const { inside, safe } = frozenNumbers(muster)
  return { ...musterOf(muster), ...anonymousNumbers({ inside, safe, left: Number(row!.exits) }) } satisfies MusterReport
})

/** A muster of a list: without its people. */
export const readSummary = (db: Database, muster: MusterRow) =>
  muster.ended_at === null
    ? Effect.map(readReport(db, muster), ({ people: _, ...summary }: MusterReport): Muster => summary)
    : Effect.succeed<Muster>({ ...musterOf(muster), ...frozenNumbers(muster) })
