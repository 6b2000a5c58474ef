import { RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { FORGET_ALL } from "./stays.sql.ts"

/** Forgets the retry keys whose day is over: they stand for nothing any more, and tie requests to stays. */
export const forgetRetryKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(FORGET_ALL, [PgTypes.timestamptz((yield* Clock.currentTimeMillis) - RETRY_KEY_LIFETIME)])
})

/** Forgets them now and then, for as long as it is built. When the database is away, later is soon enough. */
export const layerForgetRetryKeys: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(Effect.ignore(forgetRetryKeys), Schedule.spaced("10 minutes")))
)
