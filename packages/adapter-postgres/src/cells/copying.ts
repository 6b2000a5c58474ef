/** Copies the long tables of an organization to another cell while it is used: as of one moment, and then what changed since. */
import type { OrganizationId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../database/Database.ts"
import { liftStatementTimeout, readStopped } from "../database/locks.ts"
import * as sql from "./moving.sql.ts"

/** How many rows are written at once. */
const PORTION = 2000

/** The databases of a move. */
export interface Between {
  readonly source: Database
  readonly target: Database
  readonly home: Database
  readonly organizationId: OrganizationId
}

/** How far a copy is: what the source had when it began. */
export interface CopyPosition {
  readonly oldest: string
  readonly last_stay: bigint
  readonly version: bigint
  readonly rolled_up: bigint
  readonly crowd_places: string | null
  readonly crowd_ids: string | null
  readonly places: string
  readonly erased: string
}

export interface JsonRow {
  readonly row: string
}

type Rows = ReadonlyArray<string>

/** Who came and who left since. */
interface OpenRow {
  readonly added: ReadonlyArray<string> | null
  readonly gone_places: string | null
  readonly gone_ids: string | null
}

type SinceTable = keyof typeof sql.COPY_SINCE

const sinceTables = Object.keys(sql.COPY_SINCE) as ReadonlyArray<SinceTable>

export const aheadTables = Object.keys(sql.AHEAD) as ReadonlyArray<sql.AheadTable>

export const rowsOf = (db: Database, statement: string, parameters: ReadonlyArray<unknown>) =>
  Effect.map(db.run<JsonRow>(statement, parameters), (found): Rows => found.map(({ row }) => row))

/** Passes rows as JSON, some at a time. */
export const inPortions = (rows: Rows, write: (json: string, columns: string) => Effect.Effect<unknown, SqlError>) =>
  Effect.gen(function* () {
    const [first] = rows
    if (first === undefined) return
    const columns = sql.columnsOf(first)
    for (let from = 0; from < rows.length; from += PORTION) {
      yield* write(`[${rows.slice(from, from + PORTION).join()}]`, columns)
    }
  })

/** The parameters of the statement that reads what changed in a table since the position. */
const valuesSince = (
  position: CopyPosition,
  { gone_places, gone_ids }: OpenRow,
  table: SinceTable
): ReadonlyArray<unknown> => {
  switch (table) {
    case "stay":
      return [gone_places, gone_ids, position.last_stay, position.places]
    case "presence_event":
      return [position.version]
    case "presence_bucket":
      return [position.rolled_up]
    case "entrance_retry":
      return [position.oldest]
  }
}

/** What changed in the long tables since the position. */
export interface Changes {
  readonly open: OpenRow
  readonly rows: ReadonlyMap<SinceTable, Rows>
}

/** Reads what changed since the position. The open stays come first: who left before has a closed one. */
export const readSince = Effect.fnUntraced(function* (
  { source, organizationId }: Between,
  position: CopyPosition,
  openSince = sql.OPEN_SINCE
) {
  const [open] = yield* source.run<OpenRow>(openSince, [organizationId, position.crowd_places, position.crowd_ids])
  const rows = new Map<SinceTable, Rows>()
  for (const table of sinceTables) {
    rows.set(
      table,
      yield* rowsOf(source, sql.COPY_SINCE[table], [organizationId, ...valuesSince(position, open!, table)])
    )
  }
  return { open: open!, rows }
})

const overwrite = (db: Database, table: sql.AheadTable, json: string, columns: string) =>
  Effect.forEach(sql.overwrite(table, columns), (statement) => db.run(statement, [json]), { discard: true })

/** Changes the copy as the long tables changed. */
export const writeSince = Effect.fnUntraced(function* ({ target, organizationId }: Between, { open, rows }: Changes) {
  yield* target.run(sql.REMOVE_GONE, [organizationId, open.gone_places, open.gone_ids])
  yield* inPortions(open.added ?? [], (json, columns) => target.run(sql.write("open_stay", columns), [json]))
  for (const [table, changed] of rows)
    yield* inPortions(changed, (json, columns) => overwrite(target, table, json, columns))
})

/** Copies the long tables as of one moment: all of them, or what was added since the position. Answers how far the copy is. */
export const copyAhead = (between: Between, since: CopyPosition | undefined) => {
  const { source, target, organizationId } = between
  return source.transaction(
    Effect.gen(function* () {
      yield* source.run("set transaction isolation level repeatable read", [])
      yield* liftStatementTimeout(source)
      const [position] = yield* readStopped(source, source.run<CopyPosition>(sql.COPY_POSITION, [organizationId]))
      if (since !== undefined) {
        yield* writeSince(between, yield* readSince(between, since))
        return position!
      }
      for (const table of aheadTables) {
        yield* source.run(`declare copied no scroll cursor for ${sql.copyAll(table)}`, [organizationId])
        while (true) {
          const rows = yield* rowsOf(source, `fetch ${PORTION} from copied`, [])
          yield* inPortions(rows, (json, columns) => target.run(sql.write(table, columns), [json]))
          if (rows.length < PORTION) break
        }
        yield* source.run("close copied", [])
      }
      return position!
    })
  )
}
