import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * How many exits were told of each premises. Of a muster, `exits` is from now on how many were recorded of its organization before it, so
 * that musters outlast the events, and `version` is of no use. No release had musters: no server of one reads these columns.
 */
export const exits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table presence_head add column exits bigint not null default 0`
  // The heads begin at 0: of an open muster what was told since its begin is subtracted.
  yield* sql`
    update muster m set exits = m.exits - (
      select coalesce(sum(exits), 0)::bigint from presence_event e
      where e.organization_id = m.organization_id and e.version > m.version and e.place_id = 0
    )
    where m.ended_at is null`
  yield* sql`alter table muster alter column version set default 0`
})
