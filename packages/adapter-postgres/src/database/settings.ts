/** The settings of sessions that all statements of the stores rely on. */
import { Data, Duration, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "./columns.ts"

/** The schema of the stores when none is named. */
export const DEFAULT_SCHEMA = "sojourn"

/** How many bytes of a name PostgreSQL keeps: two longer ones that begin alike are one schema. */
const MAX_NAME_BYTES = 63

/** The name of a schema that the stores cannot have for themselves. Nothing was changed. */
export class SchemaNameRefused extends Data.TaggedError("SchemaNameRefused")<{
  readonly schema: string
  readonly reason: string
}> {
  override get message(): string {
    return `the schema cannot be named "${this.schema}": ${this.reason}`
  }
}

/** Succeeds where `schema` is the name of one schema, and so are the names that begin with it and have `suffix`. */
export const requireSchemaName = (schema: string, suffix = ""): Effect.Effect<void, SchemaNameRefused> => {
  const refuse = (reason: string) => Effect.fail(new SchemaNameRefused({ schema, reason }))
  const most = MAX_NAME_BYTES - suffix.length
  if (schema === "") return refuse("it is empty")
  if (/[.\0]/.test(schema)) return refuse("it has a dot or a NUL")
  if (Buffer.byteLength(schema) > most) return refuse(`it has more than ${most} bytes`)
  if (/^pg_|^information_schema$/i.test(schema)) return refuse("it is PostgreSQL's own")
  return Effect.void
}

/** What settings depend on. */
export interface SettingsOptions {
  /** The schema that has the tables, `sojourn` when left out. It is created when it is missing; no other one is touched. */
  readonly schema?: string | undefined
  /** How long one statement may run; 10 seconds when left out. */
  readonly statementTimeout?: Duration.Input | undefined
}

/** An identifier as SQL. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A text as SQL. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * The settings of every session. Each statement of the stores is right for any size of the tables: it has an index for
 * every lookup, and is planned once for all parameters. With the defaults the planner would keep a full scan that it chose while a
 * table was empty, and would plan each batch again. Before PostgreSQL 18 a plan that cannot do without what is disabled counts as
 * so costly that it would be compiled (`jit`), which takes seconds and gains nothing.
 *
 * The stores rely on `read committed`: a statement sees what was committed before it began, also after it waited for a lock. The
 * timeouts bound how long a transaction may hold a lock that others wait for.
 */
export const settingsOf = ({ schema = DEFAULT_SCHEMA, statementTimeout = "10 seconds" }: SettingsOptions) => ({
  search_path: quoted(schema),
  default_transaction_isolation: "read committed",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  statement_timeout: `${Duration.toMillis(Duration.fromInputUnsafe(statementTimeout))}ms`,
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "15s",
  timezone: "UTC"
})

/** The sessions of a pooler lack settings of the stores. Nothing was changed. */
export class SettingsMissing extends Data.TaggedError("SettingsMissing")<{ readonly names: ReadonlyArray<string> }> {
  override get message(): string {
    const names = this.names.join(", ")
    return `the pooler's sessions lack settings (${names}): run \`sojourn migrate --pooled\` on the database itself, then let the pooler connect again`
  }
}

/**
 * The settings $1 whose values are not $2, in the schema $3. A value is compared as PostgreSQL writes it; it is set for this statement
 * alone.
 */
const DIFFERING = `
with wanted as materialized (
  select name, case name when 'search_path' then quote_ident($3::text) else value end as value,
    current_setting(name) as present
  from unnest($1::text[], $2::text[]) as w (name, value)
)
select name from wanted where present is distinct from set_config(name, value, true)`

/**
 * Succeeds where sessions have the settings that the stores rely on. A pooler that gives a session to each transaction refuses
 * them as startup parameters: the user has to have them ({@link giveSettings}).
 */
export const requireSettings = (
  options: SettingsOptions = {}
): Effect.Effect<void, SettingsMissing | SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wanted = Object.entries(settingsOf(options))
    const missing = yield* sql.unsafe<{ readonly name: string }>(DIFFERING, [
      arrays.texts(wanted, ([name]) => name),
      arrays.texts(wanted, ([, value]) => value),
      options.schema ?? DEFAULT_SCHEMA
    ])
    if (missing.length > 0) return yield* new SettingsMissing({ names: missing.map(({ name }) => name) })
  })

/** Gives the user of the database the settings of sessions, in this database alone, for a pooler. */
export const giveSettings = (options: SettingsOptions = {}): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [own] = yield* sql.unsafe<{ readonly role: string; readonly database: string }>(
      "select quote_ident(current_user) as role, quote_ident(current_database()) as database"
    )
    yield* Effect.forEach(
      Object.entries(settingsOf(options)),
      ([name, value]) =>
        sql.unsafe(
          `alter role ${own!.role} in database ${own!.database} set ${name} = ${name === "search_path" ? value : `'${value}'`}`
        ),
      { discard: true }
    )
  })
