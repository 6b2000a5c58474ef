import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * What was spent of allowances. It is worth nothing after a crash, so nothing of it is logged: the table is empty then. Room is
 * left in its pages for rows that are counted up where they are.
 */
export const allowances = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create unlogged table allowance (
    name text primary key,
    used integer not null,
    ends_at timestamptz not null
  ) with (fillfactor = 50)`
})
