import { RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, StoreReadiness } from "../database/Database.ts"
import { FORGET_SOME } from "./stays.sql.ts"

/** How many are forgotten by one statement: after a busy day, all at once would take longer than a statement may. */
export const MOST_FORGOTTEN = 20_000n

/** Forgets the retry keys whose day is over: they stand for nothing any more, and tie requests to stays. */
export const forgetRetryKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const expired = PgTypes.timestamptz((yield* Clock.currentTimeMillis) - RETRY_KEY_LIFETIME)
  const forgetSome = sql.unsafe<{ readonly count: bigint }>(FORGET_SOME, [expired, MOST_FORGOTTEN])
  yield* Effect.repeat(forgetSome, { while: ([row]) => row?.count === MOST_FORGOTTEN })
})

/** Forgets them now and then, for as long as it is built. When the database is away, later is soon enough. */
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
