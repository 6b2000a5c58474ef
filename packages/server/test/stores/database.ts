import { type DatabaseAddress, layerClient } from "@sojourn/adapter-postgres"
import { type DatabaseFailed, type EmbeddedPostgresError, make } from "@sojourn/embedded-postgres"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { inject } from "vitest"
import { TEMPLATE } from "./template.ts"

/** On the PostgreSQL that was started for this run. */
const ownDatabase = Effect.fnUntraced(function* (directory: string) {
  const server = yield* make({ directory, whenRunning: "share", durability: "fast" })
  const database = yield* server.temporaryDatabase({ template: TEMPLATE })
  return { ...server.connection, database } satisfies DatabaseAddress
})

/** On a server of any version, where the URL's user may make databases. */
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

/** An empty database of one's own, until the scope ends. SOJOURN_TEST_DATABASE_URL names another server to make it on. */
export const aDatabase = Effect.suspend(
  (): Effect.Effect<DatabaseAddress, DatabaseFailed | EmbeddedPostgresError, Scope.Scope> =>
    SOJOURN_TEST_DATABASE_URL === undefined
      ? ownDatabase(inject("postgresDirectory"))
      : databaseAt(SOJOURN_TEST_DATABASE_URL)
)
