/** Has Citus distribute a schema. */
import { Data, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { ownerOf, sessionsOf } from "../database/Sessions.ts"
import { DEFAULT_SCHEMA } from "../database/settings.ts"
import { lockMigrations, SEQUENCES, liftTimeouts } from "./Migrations.ts"

/** The database is not the coordinator of Citus 13 or newer. Nothing was changed. */
export class CitusMissing extends Data.TaggedError("CitusMissing")<{ readonly found: string | undefined }> {
  override get message(): string {
    return `the database has ${this.found === undefined ? "no Citus" : `Citus ${this.found}`}, and 13 is the oldest that can have a cell`
  }
}

interface StateRow {
  readonly citus: string | null
  readonly is_distributed: boolean
}

const IS_DISTRIBUTED = `
select exists (select from pg_dist_schema where schemaid = quote_ident($1)::regnamespace) as is_distributed`

/** The tables that a move could not copy, although their rows are not worth it. */
const UNLOGGED = `
select quote_ident(relname) as name from pg_class
where relnamespace = quote_ident($1)::regnamespace and relkind = 'r' and relpersistence = 'u'`

/** The tables that a move could not copy the changes of, as they have no key. */
const WITHOUT_KEY = `
select quote_ident(relname) as name from pg_class c
where relnamespace = quote_ident($1)::regnamespace and relkind = 'r'
  and not exists (select from pg_index where indrelid = c.oid and indisprimary)`

/** What the sequences may have issued: they stay where they are when the schema moves. */
const CREATE_CEILINGS = `
create table placed_sequence (name text primary key, last bigint not null, ceiling bigint not null)`

const INSERT_CEILINGS = `
insert into placed_sequence
select sequencename, max_value, coalesce(last_value, min_value - 1)
from pg_sequences where schemaname = $1::text and sequencename = any($2::text[])`

const TABLES_OF = `
select logicalrelid::text as name from pg_dist_partition join pg_class on oid = logicalrelid
where relnamespace = quote_ident($1)::regnamespace`

/** Whether Citus distributes the schema of a client of the coordinator. */
export const isDistributed = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly name: string | null }>`select to_regclass('placed_sequence')::text as name`,
    ([table]) => table?.name != null
  )

/** A share lock of the metadata of a shard: a move of the schema waits for it before it copies the last changes. */
const HOLD =
  "select lock_shard_metadata(5, array_agg(shardid)) from pg_dist_shard where logicalrelid = 'organization'::regclass"

/**
 * Keeps the schema where it is until the end of the transaction, on a client of the coordinator: after a move its rows would be those of a later moment.
 */
export const holdPlacement = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (yield* isDistributed(sql)) yield* sql.unsafe(HOLD)
})

/**
 * Has Citus distribute a migrated schema: it places the schema on a worker, and moves it on request. Returns false where it
 * does already. A cell must have its ids before ({@link issueIdsOf}). Run on a client with the option `citus`, or on one of the coordinator.
 */
export const distributeSchema: Effect.Effect<boolean, CitusMissing | SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = ownerOf(yield* SqlClient.SqlClient)
    const schema = sessionsOf(sql)?.schema ?? DEFAULT_SCHEMA
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* liftTimeouts(sql)
        yield* lockMigrations(sql)
        const [citus] = yield* sql<{ readonly version: string }>`
          select extversion as version from pg_extension where extname = 'citus'`
        if (Number.parseInt(citus?.version ?? "0", 10) < 13) return yield* new CitusMissing({ found: citus?.version })
        const [state] = yield* sql.unsafe<StateRow>(IS_DISTRIBUTED, [schema])
        if (state!.is_distributed) return false
        for (const { name } of yield* sql.unsafe<{ readonly name: string }>(UNLOGGED, [schema])) {
          yield* sql.unsafe(`alter table ${name} set logged`)
        }
        yield* sql.unsafe(CREATE_CEILINGS)
        yield* sql.unsafe(INSERT_CEILINGS, [schema, SEQUENCES])
        for (const { name } of yield* sql.unsafe<{ readonly name: string }>(WITHOUT_KEY, [schema])) {
          yield* sql.unsafe(`alter table ${name} replica identity full`)
        }
        yield* sql`select citus_schema_distribute(${schema})`
        // Citus leaves what it has copied in the files of the coordinator.
        for (const { name } of yield* sql.unsafe<{ readonly name: string }>(TABLES_OF, [schema])) {
          yield* sql`select truncate_local_data_after_distributing_table(${name}::regclass)`
        }
        return true
      })
    )
  }
)
