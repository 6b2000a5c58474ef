/**
 * A program that uses a server, for tests which kill it: `node program.ts <options as JSON>`. It says what happens in
 * lines of JSON, and ends in order at SIGTERM, SIGINT or when the test is gone. Each line it reads is a statement, whose
 * answer is a line.
 */
import { createInterface } from "node:readline"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Effect, Exit, Layer } from "effect"
import { EmbeddedPostgres, type Options } from "../src/index.ts"

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

const options: Options = JSON.parse(process.argv[2] ?? "{}")

const stop = new AbortController()
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => stop.abort())
const input = createInterface({ input: process.stdin }).on("close", () => stop.abort())

const program = Effect.gen(function* () {
  const server = yield* EmbeddedPostgres
  const sql = yield* PgClient.PgClient
  const { connection, isFresh } = server
  say({ ready: { processId: yield* server.processId, isFresh, path: connection.path } })
  const context = yield* Effect.context<never>()
  input.on("line", (statement) => {
    const answer = Effect.matchEffect(sql.unsafe(statement), {
      onSuccess: (rows) => Effect.sync(() => say({ answer: rows })),
      onFailure: (error) => Effect.sync(() => say({ refused: String(error.reason.cause ?? error.message) }))
    })
    Effect.runForkWith(context)(answer)
  })
  return yield* Effect.never
})

const Database = Layer.unwrap(
  EmbeddedPostgres.useSync(({ connection }) => PgClient.layer({ ...connection, maxConnections: 2 }))
).pipe(Layer.provideMerge(EmbeddedPostgres.layer(options)))

const exit = await Effect.runPromiseExit(Effect.provide(program, Database), { signal: stop.signal })
if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
  const error = Cause.squash(exit.cause)
  say({ failed: error instanceof Error ? { name: error.name, message: error.message } : String(error) })
}
process.exit(0)
