import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** What operators say of stays without an exit, and of old accesses, in seconds; and the lease of sweeping them. */
export const stayPolicies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table stay_policy (
    organization_id bigint primary key references organization (id),
    longest_stay bigint,
    retention bigint,
    turn bigint not null default 0,
    turn_taken timestamptz
  )`
})
