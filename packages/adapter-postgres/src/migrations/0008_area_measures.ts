import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The bounds of each place's area, how many points it counts as, and the transaction that wrote them: they are right where
 * that is the row's own `xmin`. Servers of the version before write rows without them, and those that are here have none.
 */
export const areaMeasures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table place
    add column west double precision,
    add column east double precision,
    add column south double precision,
    add column north double precision,
    add column area_points integer,
    add column area_measured_in bigint`
})
