/** Takes a backup of a database that servers are using. */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { onOwner } from "../database/Sessions.ts"
import { holdPlacement } from "../migrations/distribution.ts"
import { requireKnownSchema, liftTimeouts, type Table } from "../migrations/Migrations.ts"
import { lastValues, tablesInOrder } from "./catalog.ts"
import { NothingToBackUp, type Rows, type Snapshot } from "./Snapshot.ts"

/** The rows of the first fetch, which tells how long they are, and the most rows of one fetch. */
const FIRST_FETCHED_ROWS = 10
const FETCHED_ROWS = 200

/** About how many characters of rows a fetch may have. The image of a floor plan has two million. */
const FETCHED_CHARACTERS = 16 * 1024 * 1024

/** The destination of a backup. */
export interface Saver<E, R> {
  /** Is called first. */
  readonly begin: (snapshot: Snapshot) => Effect.Effect<void, E, R>
  /** Is called for each table, in one or more parts, after those that it refers to. */
  readonly write: (rows: Rows) => Effect.Effect<void, E, R>
}

/** Tables whose rows are many and have their own times: they are saved in any order. */
const UNORDERED: ReadonlyArray<string> = ["presence_bucket", "presence_event", "stay"] satisfies ReadonlyArray<Table>

/**
 * Writes all rows of a table, in parts, in an order that follows from the contents of each row alone. The order in which they were written
 * would reveal whose favorite or link came right before an anonymous entrance.
 */
const saveTable = <E, R>(sql: SqlClient.SqlClient, table: string, { write }: Saver<E, R>) =>
  Effect.gen(function* () {
    const order = UNORDERED.includes(table) ? "" : "order by hashtextextended(row, 0), row"
    yield* sql`declare saved_rows no scroll cursor for
      select row from (select to_json(saved)::text as row from ${sql(table)} saved) rows ${sql.literal(order)}`
    let count = FIRST_FETCHED_ROWS
    while (count > 0) {
      const part = yield* sql.unsafe<{ readonly row: string }>(`fetch ${count} from saved_rows`)
      const rows = part.map(({ row }) => row)
      if (rows.length > 0) yield* write({ table, rows })
      const longest = Math.max(...rows.map(({ length }) => length))
      const isLast = rows.length < count
      count = isLast ? 0 : Math.min(FETCHED_ROWS, Math.ceil(FETCHED_CHARACTERS / longest))
    }
    yield* sql`close saved_rows`
  })

/**
 * Saves all rows of a database, as of one moment, while servers use it. Only migrations wait for it, and moves of a schema by Citus.
 * Rows are text, so that they can be loaded into any version of PostgreSQL.
 */
export const saveDatabase = <E, R>(saver: Saver<E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql
      .withTransaction(
        Effect.gen(function* () {
          yield* liftTimeouts(sql)
          yield* holdPlacement(sql)
          const schema = yield* requireKnownSchema(sql)
          if (schema === 0) return yield* new NothingToBackUp()
          const [clock] = yield* sql<{ readonly now: string }>`
            select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`
          const snapshot: Snapshot = { schema, takenAt: clock!.now, sequences: yield* lastValues }
          yield* saver.begin(snapshot)
          for (const table of yield* tablesInOrder) yield* saveTable(sql, table, saver)
          return snapshot
        })
      )
      .pipe(
        Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        Effect.withSpan("saveDatabase")
      )
  }).pipe(onOwner)
