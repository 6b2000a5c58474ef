import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Removes what named a user beside an anonymous stay: what callers spent of rate limits, which was written with each request,
 * and the moment at which a favorite was added, of which the day is kept. Servers that share limits register in the place of
 * callers; after a crash the table is empty, and they register again.
 *
 * The table of callers is dropped last, as its lock holds up requests to servers of the version before. These then apply no limits.
 */
export const nothingBesideStays = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create unlogged table rate_limit_server (
    id uuid primary key,
    seen_at timestamptz not null
  )`
  yield* sql`update favorite set creation_date = date_trunc('day', creation_date, 'UTC')`
  yield* sql`drop table allowance`
})
