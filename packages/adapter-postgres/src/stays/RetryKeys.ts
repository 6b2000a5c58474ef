/** Deletes retry keys after a day: they link requests to stays. */
import { RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect, Layer, Schedule } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, StoreReadiness } from "../database/Database.ts"

/** Deletes at most $2 retry keys that were used at or before $1, and returns how many. */
const FORGET_SOME = `
with forgotten as (
  delete from entrance_retry
  where ctid = any(array(select ctid from entrance_retry where used_at <= $1::timestamptz or used_at > $3::timestamptz limit $2::bigint))
  returning 1
)
select count(*) as count from forgotten`

/** How many keys one statement deletes: after a busy day all of them would exceed the statement timeout. */
export const MAX_FORGOTTEN_KEYS = 20_000n

/** Deletes the expired retry keys: they have no effect any more. */
export const forgetRetryKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const expired = PgTypes.timestamptz(now - RETRY_KEY_LIFETIME)
  // Of a clock that was ahead.
  const late = PgTypes.timestamptz(now + RETRY_KEY_LIFETIME)
  const forgetSome = sql.unsafe<{ readonly count: bigint }>(FORGET_SOME, [expired, MAX_FORGOTTEN_KEYS, late])
  yield* Effect.repeat(forgetSome, { while: ([row]) => row?.count === MAX_FORGOTTEN_KEYS })
})

/** Deletes expired retry keys every 10 minutes. A failure of the database is logged, and the next run deletes them. */
export const layerForgetRetryKeys: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const ready = yield* StoreReadiness
    const forget = Effect.catchTag(forgetRetryKeys, "SqlError", (error) =>
      Effect.logWarning(`retry keys are not forgotten yet: ${describe(error)}`)
    )
    yield* Effect.andThen(ready, forget).pipe(
      Effect.ignore,
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )
  })
)
