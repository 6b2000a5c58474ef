/** Stores whose operations are in transactions of the application, for tests. */
import { type DatabaseAddress, layer as layerPostgres } from "@sojourn/adapter-postgres"
import { StoreError, type Stores } from "@sojourn/core"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Schedule } from "effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { aDatabase } from "./database.ts"

/** The client of an application, whose settings and names are not those of the stores. */
const layerApplication = (address: DatabaseAddress) =>
  PgClient.layer({
    ...("url" in address ? { url: address.url } : (address as PgClient.PgPoolConfig)),
    maxConnections: 20,
    transformResultNames: (name) => name.toUpperCase(),
    startupParameters: { search_path: "app", timezone: "Europe/Rome", enable_seqscan: "on" }
  })

const causeOf = (error: unknown): string => (error instanceof StoreError ? String(error.cause) : "")

/** Is it the refusal of an operation that cannot be in a transaction of the application? */
const isRefused = (error: unknown): boolean =>
  causeOf(error).startsWith("not possible in a transaction of the application")

/** Was the operation a conflict, after which the application begins its transaction again? */
const hasToRunAgain = (error: unknown) => causeOf(error).endsWith("the application's transaction has to run again")

type Within = (sql: SqlClient.SqlClient, operation: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>

/** Runs an operation in a transaction, again after conflicts, or, where it refuses that, by itself. */
const committed: Within = (sql, operation) =>
  sql.withTransaction(operation).pipe(
    Effect.retry({ while: hasToRunAgain, times: 100, schedule: Schedule.jittered(Schedule.spaced("10 millis")) }),
    Effect.catchIf(isRefused, () => operation)
  )

/** Runs an operation in a transaction that is rolled back, and then by itself. */
const rolledBack: Within = (sql, operation) =>
  Effect.andThen(Effect.ignore(sql.withTransaction(Effect.andThen(operation, Effect.fail("roll back")))), operation)

const decorated = (within: Within, sql: SqlClient.SqlClient) => {
  const decorate = (one: unknown): unknown => {
    if (Effect.isEffect(one)) return within(sql, one as Effect.Effect<unknown, unknown>)
    if (typeof one === "function") return (...args: ReadonlyArray<unknown>) => decorate(one(...args))
    if (typeof one !== "object" || one === null || Object.getPrototypeOf(one) !== Object.prototype) return one
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, decorate(member)]))
  }
  return decorate
}

const layerWithin = (within: Within): Layer.Layer<Stores> =>
  Layer.unwrap(
    Effect.map(aDatabase, (address) =>
      Layer.effectContext(
        Effect.gen(function* () {
          const client = yield* PgClient.PgClient
          const decorate = decorated(within, client)
          const { mapUnsafe: stores } = yield* Layer.build(layerPostgres({ client }))
          return Context.makeUnsafe<Stores>(new Map(Array.from(stores, ([key, store]) => [key, decorate(store)])))
        })
      ).pipe(Layer.provide(layerApplication(address)))
    )
  ).pipe(Layer.orDie)

/** The stores on a new database, in transactions of the application that end with each operation. */
export const layerCommitted = layerWithin(committed)

/** The stores on a new database, each of whose operations was rolled back with a transaction of the application before. */
export const layerRolledBack = layerWithin(rolledBack)
