import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { SEQUENCES, TABLES } from "../migrations/Migrations.ts"

interface Reference {
  readonly from: string
  readonly to: string
}

/** Tables in an order in which each comes after those that it refers to. */
const inOrder = (tables: ReadonlyArray<string>, references: ReadonlyArray<Reference>): ReadonlyArray<string> => {
  const ordered: Array<string> = []
  let left = tables
  while (left.length > 0) {
    const ready = left.filter((table) => !references.some(({ from, to }) => from === table && left.includes(to)))
    // What refers to each other in a circle has no order; nothing of ours does.
    if (ready.length === 0) return [...ordered, ...left]
    ordered.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}

/**
 * Every table of ours that the database has, each after those that it refers to. What an extension, an operator or another
 * program keeps beside them is theirs to save: it could not be restored into a database that is empty.
 */
export const tablesInOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname in ${sql.in(TABLES)}
    order by relname`
  const references = yield* sql<Reference>`
    select one.relname::text as "from", other.relname::text as "to"
    from pg_constraint join pg_class one on one.oid = conrelid join pg_class other on other.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`
  return inOrder(
    tables.map(({ name }) => name),
    references
  )
})

/** The last value of each sequence of ours that the database has, 0 where none was taken. They never lag behind the rows. */
export const lastValues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly last: string }>`
    select sequencename::text as name, coalesce(last_value, 0)::text as last
    from pg_sequences where schemaname = current_schema() and sequencename in ${sql.in(SEQUENCES)}
    order by sequencename`
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
})
