/** Finds the tables and sequences that a backup holds, and the order in which the tables can be restored. */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { isDistributed } from "../migrations/distribution.ts"
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
    // Cyclic references have no order; the schema has none.
    if (ready.length === 0) return [...ordered, ...left]
    ordered.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}

/**
 * The existing tables of Sojourn, each after those that it refers to. Tables of extensions, operators and other programs are not
 * part of a backup: they could not be restored into an empty database.
 */
export const tablesInOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select relname::text as name from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p') and relname in ${sql.in(TABLES)}
    order by relname`
  const references = yield* sql<Reference>`
    select one.relname::text as "from", other.relname::text as "to"
    from pg_constraint join pg_class one on one.oid = conrelid join pg_class other on other.oid = confrelid
    where contype = 'f' and connamespace = quote_ident(current_schema())::regnamespace and conrelid <> confrelid`
  return inOrder(
    tables.map(({ name }) => name),
    references
  )
})

/**
 * The last value of each existing sequence of Sojourn; the one before the first where none was issued. They are never behind the rows. Where Citus
 * distributes the schema, the sequences are on its node, and `placed_sequence` says how far they may be.
 */
export const lastValues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (yield* isDistributed(sql)) {
    const placed = yield* sql<{ readonly name: string; readonly last: string }>`
      select name, ceiling::text as last from placed_sequence order by name`
    return Object.fromEntries(placed.map(({ name, last }) => [name, last]))
  }
  const rows = yield* sql<{ readonly name: string; readonly last: string }>`
    select sequencename::text as name, coalesce(last_value, min_value - 1)::text as last
    from pg_sequences where schemaname = current_schema() and sequencename in ${sql.in(SEQUENCES)}
    order by sequencename`
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
})
