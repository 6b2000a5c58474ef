/** The PostgreSQL of the tests, and empty databases in it. */
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer, Schedule } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { inject } from "vitest"
import type { TrackingMode } from "@sojourn/core"
import { type DatabaseAddress, layer, layerClient } from "../src/index.ts"

/** The PostgreSQL of this run, which the setup of the tests has started. */
export const layerPostgres = EmbeddedPostgres.layer({
  directory: inject("postgresDirectory"),
  whenRunning: "share",
  durability: "fast"
})

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

/** Runs an effect on the client of an empty database. */
export const onEmpty = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(emptyDatabase, (address) => on(address)(effect))

/** Runs an effect on the stores of a migrated database without rows. */
export const withStores = <A, E, R>(effect: Effect.Effect<A, E, R>, options?: Parameters<typeof layer>[1]) =>
  Effect.flatMap(emptyDatabase, (address) => Effect.provide(effect, layer(address, options)))

/** Inserts an organization with nothing in it. */
export const insertOrganization = (id: number, trackingMode: TrackingMode = "anonymous") =>
  SqlClient.SqlClient.use(
    (sql) => sql`insert into organization (id, name, tracking_area, tracking_mode, creation_date, last_change_date)
      values (${id}, ${`Town ${id}`}, '{}', ${trackingMode}, now(), now())`
  )

/** Inserts an owner of an organization. */
export const insertOwner = (organization: number, administrator: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.andThen(
      sql`insert into administrator_account (administrator_id) values (${administrator}) on conflict do nothing`,
      sql`insert into permission (organization_id, administrator_id, level, nominated_by)
        values (${organization}, ${administrator}, 'owner', ${administrator})`
    )
  )

/**
 * Until so many statements wait for a lock in this database. Views of the statistics would be those of the transaction's
 * first look, and a lock on a row names no database: its session holds another one that does.
 */
export const untilWaiting = (count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly count: bigint }>`
      select count(*) as count from pg_locks where not granted and pid in (
        select l.pid from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database())`
  ).pipe(
    Effect.repeat({ until: ([row]) => Number(row?.count) >= count, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("2 minutes")
  )
