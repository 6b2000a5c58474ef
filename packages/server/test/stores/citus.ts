/** Cells that are schemas of Citus, for tests. */
import { type DatabaseAddress, layer, layerClient } from "@sojourn/adapter-postgres"
import type { Stores } from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layerCells } from "@sojourn/service"
import { layerOverCells, NUMBERS } from "./cells.ts"

/** The coordinator of Citus. */
export const citusUrl = process.env.SOJOURN_CITUS_URL

/** A name of schemas that no other test uses; the schemas that begin with it are removed with the scope. */
const citusSchemas = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => `test_${SecureRandom.uuidV4Unsafe().slice(0, 8)}`),
    (prefix) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const schemas = yield* sql<{ readonly name: string }>`
          select nspname as name from pg_namespace where starts_with(nspname, ${`${prefix}_`})`
        yield* sql`set statement_timeout = 0`
        for (const { name } of schemas) {
          yield* sql`drop schema ${sql(name)} cascade`
          // On the workers is what the stores made there.
          yield* sql`select count(*) from run_command_on_workers(${`drop schema if exists "${name}_placed" cascade`})`
        }
      }).pipe(Effect.provide(layerClient({ url: Redacted.make(url) }, { maxConnections: 1 })), Effect.orDie)
  )

/** Three schemas of one Citus, which places them. */
export const layerCitusCells = (url: string) =>
  Layer.unwrap(
    Effect.map(citusSchemas(url), (prefix) =>
      layerOverCells((cell) =>
        layer({ url: Redacted.make(url) } satisfies DatabaseAddress, { cell, schema: `${prefix}_${cell}`, citus: true })
      )
    )
  ).pipe(Layer.orDie)

/** The storage of a server over cells: the home cell in a schema of the coordinator, and two that Citus places. */
export const layerServerCitus = (url: string): Layer.Layer<Stores> =>
  Layer.unwrap(
    Effect.map(citusSchemas(url), (prefix) => {
      const [home, ...others] = NUMBERS.map((number) => ({
        number,
        weight: 1,
        maxConnections: 4,
        address: { url: Redacted.make(url) },
        schema: `${prefix}_${number}`
      }))
      return layerCells([home!, ...others.map((cell) => ({ ...cell, citus: true }))], { keys: [], migrate: true })
    })
  ).pipe(Layer.orDie)
