/** Cells that are schemas of Citus, for tests. */
import { type DatabaseAddress, layer, layerClient } from "@sojourn/adapter-postgres"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { layerOverCells } from "./cells.ts"

/** The coordinator of Citus. */
export const citusUrl = process.env.SOJOURN_CITUS_URL

/** A name of schemas that no other test uses; the schemas that begin with it are removed with the scope. */
export const citusSchemas = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => `test_${SecureRandom.uuidV4Unsafe().slice(0, 8)}`),
    (prefix) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const schemas = yield* sql<{ readonly name: string }>`
          select nspname as name from pg_namespace where starts_with(nspname, ${`${prefix}_`})`
        yield* sql`set statement_timeout = 0`
        for (const { name } of schemas) yield* sql`drop schema ${sql(name)} cascade`
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
