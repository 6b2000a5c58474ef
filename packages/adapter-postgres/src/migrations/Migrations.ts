/** Brings databases to the schema of this code, and refuses those with a newer one. */
import { Data, Effect, Layer } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { ownerOf, sessionsOf } from "../database/Sessions.ts"
import { createHash } from "node:crypto"
import { schema, SCHEMA_TEXT } from "./0001_schema.ts"

/** All migrations, in the order of their numbers. A released one never changes: another is added after it. */
const MIGRATIONS = {
  "0001_schema": schema
} as const

/** The table of the migrations that a database had. */
export const MIGRATION_TABLE = "sojourn_migration"

/** The number of the newest migration that this code knows: the version of the schema that it works with. */
export const SCHEMA_VERSION = Object.keys(MIGRATIONS).length

/**
 * The tables of all versions of the schema whose rows are part of a backup. That of the feeds' generation is not: each restored
 * database has a new one.
 */
export const TABLES = [
  "account_link",
  "administrator_account",
  "audit_entry",
  "counted_people",
  "deletion_request",
  "device",
  "device_epoch",
  "device_premises",
  "entrance_retry",
  "erasure",
  "favorite",
  "floor_plan",
  "import_key",
  "imported_stay",
  "muster",
  "muster_beginning",
  "muster_person",
  "muster_result",
  "open_stay",
  "organization",
  "organization_cell",
  "pending_change",
  "permission",
  "place",
  "presence_bucket",
  "presence_event",
  "presence_feed",
  "presence_history",
  "presence_totals",
  "stay",
  "stay_policy",
  "storage_identity",
  "subject_cell",
  "token_key",
  "token_revocation",
  "webhook",
  "webhook_attempt"
] as const

/** A table whose rows are part of a backup. */
export type Table = (typeof TABLES)[number]

/** The sequences of all versions of the schema, with the columns whose values each issues. */
export const ISSUED: Readonly<Record<string, ReadonlyArray<readonly [table: string, column: string]>>> = {
  audit_entry_id: [["audit_entry", "id"]],
  deletion_request_id: [["deletion_request", "id"]],
  device_id: [["device", "id"]],
  muster_id: [["muster", "id"]],
  organization_id: [
    ["organization", "id"],
    ["deletion_request", "organization_id"]
  ],
  permission_granted: [["permission", "granted"]],
  place_id: [["place", "id"]],
  stay_id: [
    ["open_stay", "id"],
    ["stay", "id"],
    ["entrance_retry", "stay_id"],
    ["imported_stay", "stay_id"]
  ],
  webhook_id: [["webhook", "id"]]
}

export const SEQUENCES = Object.keys(ISSUED)

/** The seed of the key of the advisory lock of migrations: an arbitrary number. */
const MIGRATION_LOCK = 4_733_160_211n

/** The schema of the database is newer than this code. Nothing was changed. */
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

/** The database was made by a version before the first release, or by another state of the first migration. Nothing was changed. */
export class SchemaUnreleased extends Data.TaggedError("SchemaUnreleased")<{}> {
  override get message(): string {
    return "the database was made by another version of Sojourn before its release, and cannot be migrated: use an empty one"
  }
}

/** A migration failed, and was rolled back. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the database could not be migrated: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** The digest of the first migration, which the comment of the table of migrations keeps. */
const DIGEST = createHash("sha256").update(SCHEMA_TEXT).digest("hex")

/** The schema's version; 0 where there is none yet. */
const versionOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [table] = yield* sql<{ readonly name: string | null; readonly digest: string | null }>`
    select to_regclass(${MIGRATION_TABLE})::text as name,
      obj_description(to_regclass(${MIGRATION_TABLE}), 'pg_class') as digest`
  if (table?.name == null) return 0
  const [latest] = yield* sql<{ readonly version: number | null; readonly is_unreleased: boolean | null }>`
    select max(migration_id)::int as version, bool_or(migration_id = 1 and name <> 'schema') as is_unreleased
    from ${sql(MIGRATION_TABLE)}`
  const version = latest?.version ?? 0
  const isOther = version > 0 && version <= SCHEMA_VERSION && table.digest !== DIGEST
  if (latest?.is_unreleased === true || isOther) return yield* new SchemaUnreleased()
  return version
})

/** The schema's version, which must be one that this code knows; 0 where there is none yet. */
export const requireKnownSchema = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* versionOf(sql)
  if (found > SCHEMA_VERSION) return yield* new SchemaTooNew({ found, known: SCHEMA_VERSION })
  return found
})

/** Lifts the timeouts until the transaction ends: migrations and backups may take longer than a statement of a server. */
export const liftTimeouts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`set local statement_timeout = 0`
  yield* sql`set local lock_timeout = 0`
  yield* sql`set local idle_in_transaction_session_timeout = 0`
})

/**
 * Locks the migrations of the client's schema until the transaction ends, and creates the schema when it is missing. A user who may
 * not create schemas can use one that exists.
 */
export const lockMigrations = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const schema = sessionsOf(sql)?.schema ?? null
  yield* sql`select pg_advisory_xact_lock(hashtextextended(coalesce(${schema}::text, current_schema()), ${MIGRATION_LOCK}::bigint))`
  if (schema === null) return
  const [found] = yield* sql<{ readonly exists: boolean }>`
    select exists (select from pg_namespace where nspname = ${schema}::name) as "exists"`
  if (found?.exists !== true) yield* sql`create schema if not exists ${sql(schema)}`
})

/** The migrations up to a version of the schema. */
const migrationsTo = (version: number) =>
  Migrator.fromRecord(Object.fromEntries(Object.entries(MIGRATIONS).slice(0, version)) as typeof MIGRATIONS)

/** Migrates a database to a version of the schema. Versions before the newest are for old backups and tests. */
export const migrateTo = (
  version: number
): Effect.Effect<
  ReadonlyArray<readonly [number: number, name: string]>,
  SchemaTooNew | SchemaUnreleased | MigrationFailed | SqlError,
  SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const sql = ownerOf(yield* SqlClient.SqlClient)
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* liftTimeouts(sql)
        yield* lockMigrations(sql)
        // Effect's migrator locks its table exclusively, also where there is nothing to do. A backup reads the table, and no
        // server could start until its end.
        if ((yield* requireKnownSchema(sql)) >= version) return []
        return yield* Migrator.make({})({ loader: migrationsTo(version), table: MIGRATION_TABLE }).pipe(
          Effect.tap(sql.unsafe(`comment on table ${MIGRATION_TABLE} is '${DIGEST}'`)),
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.catchTag("MigrationError", (cause) =>
            Effect.fail(new MigrationFailed({ cause: cause.cause ?? cause }))
          )
        )
      })
    )
  })

/**
 * Migrates a database to the schema of this code, in one transaction. Of several concurrent migrations one does the work, and
 * the others wait for it. Returns the numbers and names of the migrations that were run.
 */
export const migrate = migrateTo(SCHEMA_VERSION)

/** Fails unless the database has the schema of this code. It changes nothing. */
export const requireSchema: Effect.Effect<
  void,
  SchemaTooNew | SchemaTooOld | SchemaUnreleased | SqlError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const found = yield* requireKnownSchema(ownerOf(yield* SqlClient.SqlClient))
  if (found < SCHEMA_VERSION) return yield* new SchemaTooOld({ found, needed: SCHEMA_VERSION })
})

/** Migrates the database when the layer is built. */
export const layerMigrated = Layer.effectDiscard(migrate)
