/** Gives the sequences of a schema the range of a cell. */
import { type CellNumber, cellOfId, idRangeOf } from "@sojourn/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { lockMigrations, SEQUENCES } from "./Migrations.ts"

/**
 * The schema has issued ids of another cell. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SchemaOfAnotherCell extends Data.TaggedError("SchemaOfAnotherCell")<{
  readonly cell: CellNumber
  readonly found: Option.Option<CellNumber>
}> {
  override get message(): string {
    const found = Option.match(this.found, { onNone: () => "no cell", onSome: (cell) => `cell ${cell}` })
    return `the schema has issued ids of ${found}, and cannot be cell ${this.cell}: name the schema of that cell`
  }
}

interface SequenceRow {
  readonly name: string
  readonly first: bigint
  readonly last: bigint
  readonly issued: bigint | null
}

/** The order of permissions is no id, and the same in all cells. */
export const SEQUENCES_OF_IDS = SEQUENCES.filter((name) => name !== "permission_granted")

/**
 * Has a migrated schema issue ids of one cell alone. A schema that was used without cells can become cell 0. It waits for transactions that
 * issue ids, and changes nothing where the range is the cell's already. The home cell learns the names of organizations that it has from before.
 *
 * @since 0.1.0
 * @category functions
 */
export const issueIdsOf = Effect.fnUntraced(function* (cell: CellNumber) {
  const sql = yield* SqlClient.SqlClient
  const { first, last } = idRangeOf(cell)
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockMigrations(sql)
      const sequences = yield* sql<SequenceRow>`
        select quote_ident(sequencename) as name, min_value as first, max_value as last, last_value as issued
        from pg_sequences where schemaname = current_schema() and sequencename in ${sql.in(SEQUENCES_OF_IDS)}`
      for (const { name, issued, ...range } of sequences) {
        if (range.first === first && range.last === last) continue
        if (issued !== null && (issued < first || issued > last)) {
          return yield* new SchemaOfAnotherCell({ cell, found: cellOfId(issued) })
        }
        const restart = issued === null ? ` restart with ${first}` : ""
        yield* sql.unsafe(`alter sequence ${name} minvalue ${first} maxvalue ${last} start with ${first}${restart}`)
      }
      if (cell === 0) {
        yield* sql`insert into organization_cell (name, cell) select name, 0 from organization on conflict do nothing`
      }
    })
  )
})
