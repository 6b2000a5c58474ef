/** SQL runs in a real PostgreSQL, each block in a database of its own with the service's schema. */
import { layerClient, layerMigrated } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer } from "effect"
import { type Block, type Fault, fault } from "./Block.ts"

/** Statements end with a semicolon at the end of a line, comments go to the end of theirs. */
const statements = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/--.*$/gm, "")
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

/** What the database itself said: it lies below what was made of it. */
const innermost = (error: unknown): unknown => {
  const { cause, reason } = Object(error) as { readonly cause?: unknown; readonly reason?: unknown }
  return cause === undefined && reason === undefined ? error : innermost(reason ?? cause)
}

const runBlock = Effect.fnUntraced(function* (block: Block) {
  const server = yield* EmbeddedPostgres
  const database = yield* server.temporaryDatabase({ template: "template" })
  const run = PgClient.PgClient.use((sql) =>
    Effect.forEach(statements(block.text), (statement) => sql.unsafe(statement), { discard: true })
  )
  yield* Effect.provide(run, PgClient.layer({ ...server.connection, database, maxConnections: 1 }))
}, Effect.scoped)

const migrated = Effect.gen(function* () {
  const server = yield* EmbeddedPostgres
  yield* server.createDatabase("template")
  yield* Layer.build(Layer.provide(layerMigrated, layerClient({ ...server.connection, database: "template" }))).pipe(
    Effect.scoped
  )
})

export const checkSql = (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Fault>> =>
  blocks.length === 0
    ? Promise.resolve([])
    : Effect.gen(function* () {
        yield* migrated
        const found = yield* Effect.forEach(blocks, (block) =>
          runBlock(block).pipe(
            Effect.as([]),
            Effect.catch((error) => Effect.succeed([fault(block, String(innermost(error)))]))
          )
        )
        return found.flat()
      }).pipe(Effect.provide(EmbeddedPostgres.layerTemporary()), Effect.runPromise)
