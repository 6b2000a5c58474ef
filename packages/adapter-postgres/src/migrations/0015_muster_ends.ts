import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * When the stays ended that `place_ids` and `since` of a person are of; null where they are of another moment. A server of the version
 * before writes no such time: its musters then show an exit in place of a stay that ended after it without one.
 */
export const musterEnds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table muster_person add column ended_at timestamptz`
})
