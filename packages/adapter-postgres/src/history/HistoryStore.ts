/** The port `HistoryStore` in PostgreSQL: buckets by minute, hour and day, to which the events of the feeds are added. */
import {
  administratorOf,
  BUCKET_LENGTH_MS,
  type HistoryBucket,
  type HistoryChange,
  type HistoryStore,
  IMPORT_PAUSE_MS,
  type OrganizationId,
  PremisesNotFound,
  type SmallestCount,
  smallestCountOf,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { organizationsApart, togetherOrApart } from "../database/leavingOut.ts"
import { levelOfDisplay, readAs, type ReaderColumns } from "../database/levels.ts"
import type { Storing } from "../database/Storing.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { countOf, instantOf, numberOf, requireRow, timestampOf } from "../database/rows.ts"
import { BEHIND, FORGET_MINUTES, KEEP_MINUTES_FROM, READ, ROLL_UP, ROLL_UP_ONE, TIME_ZONE } from "./history.sql.ts"

interface HistoryRow extends ReaderColumns {
  readonly publishing_mode: TrackingMode
  readonly anonymous_until: Date | null
  readonly smallest_count: bigint | null
  readonly began_at: Date
  readonly inside: bigint
  readonly kept_from: Date | null
  readonly pending_since: Date | null
  readonly buckets: string | null
  readonly changes: string | null
}

/** The rows of a JSON array of arrays of numbers. */
export const rowsOf = (json: string | null): ReadonlyArray<ReadonlyArray<number>> =>
  json === null ? [] : JSON.parse(json)

/** A row as a record: its members by the names of the columns. */
const named =
  <A>(...names: ReadonlyArray<keyof A & string>) =>
  (row: ReadonlyArray<number>): A =>
    Object.fromEntries(names.map((name, i) => [name, row[i]])) as A

/** A bucket from {@link BUCKET_COLUMNS}. */
export const bucketOf = named<HistoryBucket>(
  "from",
  "until",
  "entered",
  "left",
  "exits",
  "stayed",
  "before",
  "least",
  "most",
  "insideTime"
)
const changeOf = named<HistoryChange>("at", "entered", "left", "inside", "exits", "stayed")

/** Adds events to the buckets. Returns how many. */
export const rollUp = (db: Database, most: number): Effect.Effect<number, SqlError> =>
  togetherOrApart(
    countOf(db.run(ROLL_UP, [most])),
    Effect.gen(function* () {
      const behind = yield* db.run<{ readonly organization_id: OrganizationId }>(BEHIND, [])
      const counts = yield* organizationsApart(
        "the roll-up of events",
        behind.map(({ organization_id }) => organization_id),
        (organizationId) => countOf(db.run(ROLL_UP_ONE, [most, organizationId]))
      )
      return counts.reduce((sum, count) => sum + count, 0)
    })
  )

export const makeHistoryStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): HistoryStore["Service"] => ({
  read: (reader, premises, { bucketStep, starts, to }) =>
    storing.gen("read a history of presence", function* () {
      const { organizationId, placeId } = yield* directory.require(premises)
      const range = [
        BUCKET_LENGTH_MS[bucketStep] / 1000,
        arrays.instants(starts, (start) => start),
        PgTypes.timestamptz(to)
      ]
      const rows = db.run<HistoryRow>(READ, [organizationId, placeId, administratorOf(reader) ?? null, ...range])
      const missing = () => new PremisesNotFound({ premises })
      const [row] = yield* readAs(rows, "viewer", missing, levelOfDisplay(reader, organizationId))
      return {
        beganAt: timestampOf(row.began_at),
        keptFrom: instantOf(row.kept_from),
        buckets: rowsOf(row.buckets).map(bucketOf),
        changes: rowsOf(row.changes).map(changeOf),
        inside: Number(row.inside),
        pendingSince: instantOf(row.pending_since),
        smallestCount: smallestCountOf(
          { smallestCount: numberOf<SmallestCount>(row.smallest_count) },
          row.publishing_mode
        ),
        anonymousUntil: instantOf(row.anonymous_until)
      }
    }),

  timeZone: (premises) =>
    storing.gen("read the time zone of a history", function* () {
      const { organizationId, placeId } = yield* directory.require(premises)
      const rows = db.run<{ readonly time_zone: string | null }>(TIME_ZONE, [organizationId, placeId])
      return (yield* requireRow(rows, () => new PremisesNotFound({ premises }))).time_zone ?? undefined
    }),

  rollUp: (most) => storing.byServer("roll up events of presence", rollUp(db, most)),

  forgetMinutes: (before, most) =>
    storing.byServer.gen("forget minutes of presence", function* () {
      yield* db.run(KEEP_MINUTES_FROM, [PgTypes.timestamptz(before)])
      const imported = PgTypes.timestamptz((yield* Clock.currentTimeMillis) - IMPORT_PAUSE_MS)
      return yield* countOf(db.run(FORGET_MINUTES, [PgTypes.timestamptz(before), most, imported]))
    })
})
