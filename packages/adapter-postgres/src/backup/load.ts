import { cellOfId, idRangeOf } from "@sojourn/core"
import { Effect, Option, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isOfValues } from "../database/Database.ts"
import { onOwner } from "../database/Sessions.ts"
import {
  lockMigrations,
  migrateTo,
  SCHEMA_VERSION,
  SchemaTooNew,
  SEQUENCES,
  liftTimeouts
} from "../migrations/Migrations.ts"
import { lastValues, tablesInOrder } from "./catalog.ts"
import { requireInvariants, requireSequences } from "./invariants.ts"
import { DatabaseNotEmpty, type Rows, type Snapshot, SnapshotInvalid, TableUnknown } from "./Snapshot.ts"

/**
 * How far ids continue above the last one of the backup. Ids that were issued after it are lost, and must not be issued again:
 * a token is derived from ids, and would be valid for a later stay with the same ids. A range of ids has 3.5e13, so a database can be
 * restored some 30 times.
 */
const AHEAD = { stays: 1_000_000_000_000n, others: 1_000_000_000n }

/** The end of the range that an id is of. */
const endOf = (last: bigint): bigint =>
  Option.match(cellOfId(last + 1n), { onNone: () => last, onSome: (cell) => idRangeOf(cell).last })

/** Refuses a database with tables other than those of extensions, which many providers install in every database. */
export const requireEmpty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly name: string }>`
    select relname::text as name from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    order by relname limit 1`
  if (table !== undefined) return yield* new DatabaseNotEmpty({ table: table.name })
}).pipe(onOwner)

/** Maps errors of values (class 22) and of constraints (class 23) to an invalid snapshot. */
const blameRows = (error: SqlError): SqlError | SnapshotInvalid => {
  const { cause } = error.reason
  return isOfValues(error) && cause instanceof Error
    ? new SnapshotInvalid({ reason: `rows that are wrong: ${cause.message}` })
    : error
}

const moveAhead = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sequences: Snapshot["sequences"]) {
  for (const [name, last] of Object.entries(sequences)) {
    if (!SEQUENCES.includes(name)) continue
    const ahead = BigInt(last) + (name === "stay_id" ? AHEAD.stays : AHEAD.others)
    if (ahead > endOf(BigInt(last))) return yield* new SnapshotInvalid({ reason: `no room in the sequence ${name}` })
    yield* sql`select setval(quote_ident(${name})::regclass, ${ahead}::bigint)`
  }
})

/**
 * Loads a backup into an empty database and brings it to the schema of this code, in one transaction: all of it or nothing.
 * Answers how many rows it loaded. Ids are not issued again that the backup knows nothing of. `finish` runs last in the
 * transaction: when it fails, nothing is loaded.
 */
export const loadDatabase = <E, R, E2 = never, R2 = never>(
  snapshot: Snapshot,
  parts: Stream.Stream<Rows, E, R>,
  finish: Effect.Effect<void, E2, R2> = Effect.void
) =>
  Effect.gen(function* () {
    if (snapshot.schema < 1) return yield* new SnapshotInvalid({ reason: `a schema version ${snapshot.schema}` })
    if (snapshot.schema > SCHEMA_VERSION) {
      return yield* new SchemaTooNew({ found: snapshot.schema, known: SCHEMA_VERSION })
    }
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* liftTimeouts(sql)
        // A server that starts meanwhile has migrated before the check, or waits until the end of this transaction.
        yield* lockMigrations(sql)
        yield* requireEmpty
        yield* migrateTo(snapshot.schema)
        const tables = yield* tablesInOrder
        // The backup has the rows that migrations inserted, as they were then.
        yield* sql`truncate ${sql.csv(tables.map((table) => sql`${sql(table)}`))}`
        let loaded = 0
        yield* Stream.runForEach(parts, ({ table, rows }) =>
          Effect.gen(function* () {
            if (!tables.includes(table)) return yield* new TableUnknown({ table })
            yield* sql`insert into ${sql(table)}
              select * from json_populate_recordset(null::${sql(table)}, ${`[${rows.join()}]`}::json)`.pipe(
              Effect.mapError(blameRows)
            )
            loaded += rows.length
          })
        )
        // A backup of a cell may have none, which gets that of its home cell again.
        yield* sql`insert into storage_identity default values on conflict do nothing`
        yield* requireSequences(Object.keys(yield* lastValues), snapshot)
        yield* moveAhead(sql, snapshot.sequences)
        yield* migrateTo(SCHEMA_VERSION)
        yield* requireInvariants
        yield* finish
        return loaded
      })
    )
  }).pipe(onOwner)
