import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { initial } from "./0001_initial.ts"
import { accounts } from "./0002_accounts.ts"
import { stayPolicies } from "./0003_stay_policies.ts"
import { personalData } from "./0004_personal_data.ts"
import { allowances } from "./0005_allowances.ts"
import { unprovedAddresses } from "./0006_unproved_addresses.ts"
import { nothingBesideStays } from "./0007_nothing_beside_stays.ts"
import { areaMeasures } from "./0008_area_measures.ts"

/** Every migration, in the order of its number. One that was released never changes: another is added after it. */
const MIGRATIONS = {
  "0001_initial": initial,
  "0002_accounts": accounts,
  "0003_stay_policies": stayPolicies,
  "0004_personal_data": personalData,
  "0005_allowances": allowances,
  "0006_unproved_addresses": unprovedAddresses,
  "0007_nothing_beside_stays": nothingBesideStays,
  "0008_area_measures": areaMeasures
} as const

/** Where the migrations are noted that a database had. */
export const MIGRATION_TABLE = "sojourn_migration"

/** The number of the newest migration that this code knows: the version of the schema that it works with. */
export const SCHEMA_VERSION = Object.keys(MIGRATIONS).length

/** Every table of any version of the schema whose rows are to last. Whatever else a database holds is not ours. */
export const TABLES: ReadonlyArray<string> = [
  "account_link",
  "administrator_account",
  "deletion_request",
  "entrance_retry",
  "erasure",
  "favorite",
  "open_stay",
  "organization",
  "permission",
  "place",
  "stay",
  "stay_policy",
  "token_key"
]

/** Every sequence of any version of the schema. */
export const SEQUENCES: ReadonlyArray<string> = [
  "deletion_request_id",
  "favorite_added",
  "organization_id",
  "permission_granted",
  "place_id",
  "stay_id"
]

/** What one migrator holds while it works, so that another waits. Any number will do that nobody else uses. */
const MIGRATION_LOCK = 4_733_160_211n

/** The database was migrated by newer code, which this code must not write to. Nothing was changed. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `the database has schema version ${this.found}, and this version of Sojourn knows ${this.known}: upgrade it`
  }
}

/** The database lacks migrations that this code needs. */
export class SchemaTooOld extends Data.TaggedError("SchemaTooOld")<{
  readonly found: number
  readonly needed: number
}> {
  override get message(): string {
    return `the database has schema version ${this.found}, and ${this.needed} is needed: run \`sojourn migrate\``
  }
}

/** A migration could not be done; nothing of it was kept. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the database could not be migrated: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** The schema's version; 0 where there is none yet. */
const versionOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [table] = yield* sql<{ readonly name: string | null }>`select to_regclass(${MIGRATION_TABLE})::text as name`
  if (table?.name == null) return 0
  const [latest] = yield* sql<{ readonly version: number | null }>`
    select max(migration_id)::int as version from ${sql(MIGRATION_TABLE)}`
  return latest?.version ?? 0
})

/** The schema's version, which must be one that this code knows; 0 where there is none yet. */
export const requireKnownSchema = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* versionOf(sql)
  if (found > SCHEMA_VERSION) return yield* new SchemaTooNew({ found, known: SCHEMA_VERSION })
  return found
})

/** What an operator allows a statement on a busy day must not stop work on much data, nor who waits for it. */
export const unbounded = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`set local statement_timeout = 0`
  yield* sql`set local lock_timeout = 0`
  yield* sql`set local idle_in_transaction_session_timeout = 0`
})

/** Waits until nobody else migrates the database, and lets nobody until the transaction ends. */
export const lockMigrations = (sql: SqlClient.SqlClient) => sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`

/** The migrations up to a version of the schema. */
const migrationsTo = (version: number) =>
  Migrator.fromRecord(Object.fromEntries(Object.entries(MIGRATIONS).slice(0, version)) as typeof MIGRATIONS)

/** Brings a database to a version of the schema, which {@link migrate} does for the newest: others are for what is old. */
export const migrateTo = (
  version: number
): Effect.Effect<
  ReadonlyArray<readonly [number: number, name: string]>,
  SchemaTooNew | MigrationFailed | SqlError,
  SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* unbounded(sql)
        yield* lockMigrations(sql)
        // Effect's migrator takes its table from every reader, also to find that nothing is to be done: while a backup is being
        // made, which reads it first and to the end, no server could start.
        if ((yield* requireKnownSchema(sql)) >= version) return []
        return yield* Migrator.make({})({ loader: migrationsTo(version), table: MIGRATION_TABLE }).pipe(
          Effect.catchTag("MigrationError", (cause) =>
            Effect.fail(new MigrationFailed({ cause: cause.cause ?? cause }))
          )
        )
      })
    )
  })

/**
 * Brings a database to the schema of this code, in one transaction: all of it or nothing. Of several that start at once
 * one does the work and the others wait for it. Answers the numbers and names of the migrations that it did.
 */
export const migrate = migrateTo(SCHEMA_VERSION)

/** Does nothing but look: the database must have the very schema of this code. */
export const requireSchema: Effect.Effect<void, SchemaTooNew | SchemaTooOld | SqlError, SqlClient.SqlClient> =
  Effect.gen(function* () {
    const found = yield* requireKnownSchema(yield* SqlClient.SqlClient)
    if (found < SCHEMA_VERSION) return yield* new SchemaTooOld({ found, needed: SCHEMA_VERSION })
  })

/** Migrates when it is built. */
export const layerMigrated = Layer.effectDiscard(migrate)
