import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { MIGRATION_TABLE } from "../Migrations.ts"

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
 * Every table of the database but the one of migrations, each after those that it refers to. They are asked of the database
 * itself, so that no migration can add one that a backup forgets. What is not logged may be gone at any time, and is left out.
 */
export const tablesInOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p'
    order by relname`
  const references = yield* sql<Reference>`
    select one.relname::text as "from", other.relname::text as "to"
    from pg_constraint join pg_class one on one.oid = conrelid join pg_class other on other.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`
  const names = tables.map(({ name }) => name)
  return inOrder(
    names.filter((name) => name !== MIGRATION_TABLE),
    references
  )
})

/** The last value of each sequence of the database, 0 where none was taken. They never lag behind the rows. */
export const lastValues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly last: string }>`
    select sequencename::text as name, coalesce(last_value, 0)::text as last
    from pg_sequences where schemaname = current_schema() order by sequencename`
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
})
