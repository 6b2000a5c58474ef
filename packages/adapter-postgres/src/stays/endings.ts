/** Deletes all stays of premises with short locks, although their history may be long. */
import { type OrganizationId, type PlaceId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Duration, Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { LONG_TIMEOUT } from "../database/Storing.ts"
import { appendEnds } from "../feed/pendingChanges.sql.ts"
import { KEEP_LEFT, keepEnding } from "../musters/musters.sql.ts"
import { IS_THE_STAY } from "../database/premises.sql.ts"
import { liftStatementTimeout, readStopped, stopMovements } from "../database/locks.ts"

/** The condition for the premises: $1 the organization, $2 its places, 0 for the organization as a whole. */
const OF_PLACES = "organization_id = $1::bigint and place_id = any($2::bigint[])"

/** Selects the open stays, and the last issued id. The ids are text, which is passed on without parsing. */
const CROWD = `
select (select last_value from stay_id) as later, array_agg(place_id)::text as places, array_agg(id)::text as ids
from open_stay where ${OF_PLACES}`

const END_HISTORY = `delete from stay where ${OF_PLACES}`

/** Deletes what is kept of the accesses that were imported, with their keys. */
const END_IMPORTS = `
with gone as (
  delete from imported_stay where ${OF_PLACES} returning import_key
)
delete from import_key where organization_id = $1::bigint and key = any(array(select import_key from gone))`

/** Deletes the retry keys that were used after $3. */
const FORGET_RETRIES = `delete from entrance_retry where ${OF_PLACES} and used_at > $3::timestamptz`

const FORGET_REST = `delete from entrance_retry where ${OF_PLACES}`

/** $3 now. */
const END_OPEN = `
with gone as (
  delete from open_stay where ${OF_PLACES} returning organization_id, place_id, person, entered_at
),${appendEnds("gone", "$3")},
kept as (${keepEnding("gone", "$3::timestamptz")})
select from gone limit 0`

/** Deletes the closed stays with the id $3 or later. */
const END_LATER = `delete from stay where ${OF_PLACES} and id >= $3::bigint`

/** Deletes closed stays by key: $2 their places, $3 their ids. */
const END_CROWD = `
with crowd as materialized (
  select $1::bigint as organization_id, place_id, stay_id
  from unnest($2::text::bigint[], $3::text::bigint[]) as inside (place_id, stay_id)
)
delete from stay s using crowd f where ${IS_THE_STAY}`

interface Crowd {
  readonly later: bigint
  readonly places: string | null
  readonly ids: string | null
}

/** Reads the open stays while no movement is being written. Later statements see all rows written before. */
const crowdOf = (db: Database, premises: ReadonlyArray<unknown>) =>
  Effect.map(readStopped(db, db.run<Crowd>(CROWD, premises)), ([crowd]) => crowd!)

/**
 * Deletes all stays of places of an organization (0: the organization's own stays), records their pending changes, and blocks movements
 * until the transaction ends. The history is deleted first, without blocking movements. The stays that were closed meanwhile are then deleted by key, from
 * the list of open stays: a second scan of the history would be slow even when it is empty.
 */
export const endStays = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  places: ReadonlyArray<PlaceId | 0n>
) {
  const premises = [organizationId, arrays.bigints(places, (place) => place)]
  yield* liftStatementTimeout(db)
  const crowd = yield* crowdOf(db, premises)
  yield* db.run(KEEP_LEFT, premises)
  yield* db.run(END_HISTORY, premises)
  yield* db.run(END_IMPORTS, premises)
  // A retry key that expires during this transaction can be used again by an entrance, which would wait for the transaction.
  const fresh = (yield* Clock.currentTimeMillis) - RETRY_KEY_LIFETIME + Duration.toMillis(LONG_TIMEOUT)
  yield* db.run(FORGET_RETRIES, [...premises, PgTypes.timestamptz(fresh)])
  yield* stopMovements(db)
  yield* db.run(KEEP_LEFT, premises)
  yield* db.run(END_OPEN, [...premises, PgTypes.timestamptz(yield* Clock.currentTimeMillis)])
  yield* db.run(FORGET_REST, premises)
  yield* db.run(END_LATER, [...premises, crowd.later])
  yield* db.run(END_CROWD, [organizationId, crowd.places, crowd.ids])
})
