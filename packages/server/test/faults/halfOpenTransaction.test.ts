/** A transaction on a connection that no longer answers ends: it would else hold its caller for good. */
import { layerClient } from "@sojourn/adapter-postgres"
import { Effect, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "vitest"
import { forThisFile } from "../forThisFile.ts"
import { postgresHost } from "./PostgresHost.ts"

const postgres = forThisFile(await postgresHost())
await postgres.create("town")

it("a transaction whose BEGIN is not answered fails, although BEGIN is uninterruptible", async () => {
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(sql`select 1`)
    postgres.wire.leaveHalfOpen()
    postgres.wire.set({ _tag: "black hole" })
    return yield* Effect.flip(sql.withTransaction(sql`select 1`))
  })
  const client = layerClient({ url: Redacted.make(postgres.url("town")) }, { maxConnections: 1 })
  const error = await Effect.runPromise(Effect.provide(program, client))
  expect(error.reason._tag).toBe("ConnectionError")
})
