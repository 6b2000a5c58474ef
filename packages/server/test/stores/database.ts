/** A database of its own for each test of stores. */
import { type DatabaseAddress, layerClient } from "@sojourn/adapter-postgres"
import { type DatabaseFailed, type EmbeddedPostgresError, make } from "@sojourn/embedded-postgres"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, Redacted, type Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { inject } from "vitest"
import { TEMPLATE } from "./template.ts"

/** Creates databases on the PostgreSQL of this run. */
const ownDatabase = Effect.fnUntraced(function* (directory: string) {
  const server = yield* make({ directory, whenRunning: "share", durability: "fast" })
  const database = yield* server.temporaryDatabase({ template: TEMPLATE })
  return { ...server.connection, database } satisfies DatabaseAddress
})

/** Creates databases on any PostgreSQL server where the URL's user may do so. */
const databaseAt = Effect.fnUntraced(function* (server: string) {
  const name = `sojourn_test_${SecureRandom.uuidV4Unsafe().replaceAll("-", "")}`
  const administer = (statement: string) =>
    SqlClient.SqlClient.use((sql) => sql.unsafe(statement)).pipe(
      Effect.provide(layerClient({ url: Redacted.make(server) })),
      Effect.orDie
    )
  yield* Effect.acquireRelease(administer(`create database ${name}`), () =>
    administer(`drop database ${name} with (force)`)
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: Redacted.make(url.href) } satisfies DatabaseAddress
})

const { SOJOURN_TEST_DATABASE_URL } = process.env

/** A new empty database, which the scope removes. SOJOURN_TEST_DATABASE_URL names another server for it. */
export const aDatabase = Effect.suspend(
  (): Effect.Effect<DatabaseAddress, DatabaseFailed | EmbeddedPostgresError, Scope.Scope> =>
    SOJOURN_TEST_DATABASE_URL === undefined
      ? ownDatabase(inject("postgresDirectory"))
      : databaseAt(SOJOURN_TEST_DATABASE_URL)
)
