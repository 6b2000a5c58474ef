import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { type DatabaseAddress, layerClient } from "../src/index.ts"

/** A PostgreSQL for a test file. */
export const layerPostgres = EmbeddedPostgres.layerTemporary()

/** Where an empty database is, until the scope ends. */
export const emptyDatabase = Effect.gen(function* () {
  const postgres = yield* EmbeddedPostgres
  return { ...postgres.connection, database: yield* postgres.temporaryDatabase() } satisfies DatabaseAddress
})

/** Runs an effect on a client of its own. */
export const on =
  (address: DatabaseAddress) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, Layer.fresh(layerClient(address)))

/** Until so many statements wait for a lock. */
export const untilWaiting = (count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly count: bigint }>`select count(*) as count from pg_locks where not granted`
  ).pipe(
    Effect.repeat({ until: ([row]) => Number(row?.count) >= count, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("20 seconds")
  )
