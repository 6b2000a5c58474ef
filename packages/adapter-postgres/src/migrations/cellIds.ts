/** Gives the sequences of a schema the range of a cell. */
import { type CellNumber, cellOfId, idRangeOf } from "@sojourn/core"
import { Data, Effect, Option } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { ownerOf } from "../database/Sessions.ts"
import { isDistributed } from "./distribution.ts"
import { lockMigrations, SEQUENCES } from "./Migrations.ts"

/** The schema has issued ids of another cell. Nothing was changed. */
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

/** The schema is a cell, and is used as if it was none. Nothing was changed. */
export class SchemaOfCells extends Data.TaggedError("SchemaOfCells")<{}> {
  override get message(): string {
    return "the schema is one of several cells: name them all"
  }
}

/** Citus distributes the schema, and it is used as if it did not. Nothing was changed. */
export class SchemaOfCitus extends Data.TaggedError("SchemaOfCitus")<{}> {
  override get message(): string {
    return "Citus distributes the schema: say so where the cell is named"
  }
}

/** The order of permissions is no id, and the same in all cells. */
export const SEQUENCES_OF_IDS = SEQUENCES.filter((name) => name !== "permission_granted")

const rangesOf = (sql: SqlClient.SqlClient) => sql<SequenceRow>`
  select quote_ident(sequencename) as name, min_value as first, max_value as last, last_value as issued
  from pg_sequences where schemaname = current_schema() and sequencename in ${sql.in(SEQUENCES_OF_IDS)}`

/** The cell that a sequence was given the range of; none of one that was never given any. */
const cellOf = ({ first, last }: SequenceRow): Option.Option<CellNumber> =>
  Option.filter(cellOfId(first), (cell) => idRangeOf(cell).last === last)

/**
 * Has a migrated schema issue ids of one cell alone. With them a cell beside the home cell loses the identity that it was made with. A schema that was used without cells can become cell 0. It waits for transactions that
 * issue ids, and changes nothing where the range is the cell's already. The home cell learns the names of organizations that it has from before.
 */
export const issueIdsOf = Effect.fnUntraced(function* (cell: CellNumber) {
  const client = yield* SqlClient.SqlClient
  const sql = ownerOf(client)
  const { first, last } = idRangeOf(cell)
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockMigrations(sql)
      if (sql === client && (yield* isDistributed(sql))) return yield* new SchemaOfCitus()
      const ranges = yield* rangesOf(sql)
      const isNew = ranges.some((range) => Option.isNone(cellOf(range)))
      for (const sequence of ranges) {
        if (sequence.first === first && sequence.last === last) continue
        const { name, issued } = sequence
        const found = cellOf(sequence)
        if (Option.isSome(found)) return yield* new SchemaOfAnotherCell({ cell, found })
        if (issued !== null && (issued < first || issued > last)) {
          return yield* new SchemaOfAnotherCell({ cell, found: cellOfId(issued) })
        }
        const restart = issued === null ? ` restart with ${first}` : ""
        yield* sql.unsafe(`alter sequence ${name} minvalue ${first} maxvalue ${last} start with ${first}${restart}`)
      }
      // The home cell gives it its own.
      if (cell !== 0 && isNew) yield* sql`delete from storage_identity`
      if (cell === 0) {
        yield* sql`insert into organization_cell (name, cell) select name, 0 from organization on conflict do nothing`
      }
    })
  )
})

/**
 * Fails with `SchemaOfCells` where a migrated schema is one of several cells: without the others it would answer for organizations that they
 * have. A home cell that is alone can go on without cells.
 */
export const requireNoCells = Effect.gen(function* () {
  const sql = ownerOf(yield* SqlClient.SqlClient)
  const ranges = yield* rangesOf(sql)
  const [others] = yield* sql<{ readonly known: boolean }>`
    select exists (select from organization_cell where cell <> 0) as known`
  if (others?.known === true || ranges.some((range) => Option.exists(cellOf(range), (cell) => cell > 0))) {
    return yield* new SchemaOfCells()
  }
})
