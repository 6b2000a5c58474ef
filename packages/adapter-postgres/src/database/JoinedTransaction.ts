/**
 * Operations in a transaction of the application. Each is a savepoint on the connection of that transaction, with the settings of the stores, which
 * are the application's again after it. One that fails is undone as a whole, and leaves the transaction usable.
 */
import { StoreError } from "@sojourn/core"
import { Context, Effect, type Latch } from "effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "./columns.ts"
import { CurrentJoined, CurrentWriter, describe, notInTransaction, transactionOf } from "./Database.ts"
import { type ApplicationClient, sessionsOf } from "./Sessions.ts"

/**
 * More clients of the application whose transactions the stores notice. Stores of which each has a part of the data refuse those of all: a
 * transaction can hold no more than one part.
 */
export const ApplicationClients = Context.Reference<ReadonlyArray<ApplicationClient>>(
  "@sojourn/adapter-postgres/ApplicationClients",
  { defaultValue: () => [] }
)

/** Transactions of the application around operations. */
export interface JoinedTransactions {
  /** Whether an operation of a fiber would be part of a transaction of the application. */
  readonly isAround: (context: Context.Context<never>) => boolean
  /** Runs an operation as a part of the transaction around it. */
  readonly join: <A, E>(operation: string, body: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError | StoreError>
}

/** Stores that are part of no transaction. */
export const NO_TRANSACTIONS: JoinedTransactions = { isAround: () => false, join: (_, body) => body }

/** Sets the settings $1 to the values $2 until the transaction ends, and returns those that were. */
const ENTER = `
with wanted as materialized (
  select name, value, current_setting(name) as before from unnest($1::text[], $2::text[]) as w (name, value)
)
select name, before, set_config(name, value, true), current_setting('transaction_isolation') as isolation from wanted`

const LEAVE = "select set_config(name, value, true) from unnest($1::text[], $2::text[]) as w (name, value)"

interface SettingRow {
  readonly name: string
  readonly before: string
  readonly isolation: string
}

/** The settings of sessions that do not say how long the application's transaction may last. */
const settingsFor = ({
  default_transaction_isolation: _isolation,
  idle_in_transaction_session_timeout: _idle,
  search_path: searchPath,
  ...settings
}: Readonly<Record<string, string>>): ReadonlyArray<readonly [name: string, value: string]> =>
  // Temporary tables of the application come after those of the stores.
  Object.entries(searchPath === undefined ? settings : { ...settings, search_path: `${searchPath}, pg_temp` })

/** Makes the operations in transactions of the stores' own client, and of the application's. `appended` is opened after each commit. */
export const makeJoinedTransactions = (
  sql: SqlClient.SqlClient,
  others: ReadonlyArray<ApplicationClient>,
  appended: Latch.Latch
): JoinedTransactions => {
  const sessions = sessionsOf(sql)
  const clients = [...others, ...(sessions?.application === undefined ? [] : [sessions.application]), { client: sql }]
  const settings = settingsFor(sessions?.settings ?? { timezone: "UTC" })
  const values = (pairs: typeof settings) => [
    arrays.texts(pairs, ([name]) => name),
    arrays.texts(pairs, ([, value]) => value)
  ]

  /** The client that a fiber is in a transaction of. */
  const clientOf = (context: Context.Context<never>): ApplicationClient | undefined => {
    for (const one of clients) {
      if (Context.getOrUndefined(context, one.client.transactionService) !== undefined) return one
    }
    return undefined
  }

  const isJoined = (context: Context.Context<never>) => Context.get(context, CurrentJoined) !== undefined

  const refuse = (operation: string, why: string) =>
    Effect.fail(new StoreError({ operation, cause: describe(notInTransaction(why)) }))

  return {
    // The transaction of an operation that is part of none is the operation's own.
    isAround: (context) =>
      clientOf(context) !== undefined && (isJoined(context) || Context.get(context, CurrentWriter) === undefined),
    join: <A, E>(operation: string, body: Effect.Effect<A, E>) =>
      Effect.withFiber(({ context }): Effect.Effect<A, E | SqlError | StoreError> => {
        const found = clientOf(context)
        // Its statements are part of the operation that calls it.
        if (found === undefined || isJoined(context)) return body
        if (found.refusal !== undefined) return refuse(operation, found.refusal)
        const client = found.client.withoutTransforms()
        return transactionOf(
          client,
          Effect.gen(function* () {
            const rows = yield* client.unsafe<SettingRow>(ENTER, values(settings))
            const isolation = rows[0]!.isolation
            if (isolation !== "read committed") return yield* refuse(operation, `it is ${isolation}`)
            const answer = yield* Effect.provideService(body, CurrentJoined, { client, isAtomic: false })
            yield* client.unsafe(LEAVE, values(rows.map(({ name, before }) => [name, before] as const)))
            yield* client.afterCommit(Effect.asVoid(appended.open))
            return answer
          })
        )
      })
  }
}
