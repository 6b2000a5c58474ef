/** Adopts stays from before the first movement of an organization, with the history that they add up to. */
import {
  type Adoption,
  admitEarlierStays,
  type EarlierPresence,
  BUCKET_LENGTH_MS,
  BUCKET_STEPS,
  type HistoryBucket,
  OrganizationPremises,
  type Premises,
  PremisesNotFound,
  publishChange,
  type StayId,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { liftStatementTimeout, requireOrganization } from "../database/locks.ts"
import { placeIdOf } from "../database/PremisesDirectory.ts"
import { publishDue, publishEvents } from "../feed/publishEvents.ts"
import { type PremisesTotalsRow, totalsOf } from "../feed/totals.ts"
import { ADD_BUCKETS, BEGIN_AT, OPEN, ROLLED_UP, SET_TOTALS, TOTALS } from "./adopting.sql.ts"

interface TotalsRow extends PremisesTotalsRow {
  readonly has_movements: boolean
}

/** The parameters of the buckets of premises. */
const columnsOfBuckets = (presence: ReadonlyArray<EarlierPresence>) => {
  const rows = presence.flatMap(({ premises, buckets }) =>
    BUCKET_STEPS.flatMap((step) =>
      buckets[step].map((bucket) => ({
        ...bucket,
        placeId: placeIdOf(premises),
        step: BUCKET_LENGTH_MS[step] / 1000
      }))
    )
  )
  const numbers = (value: (row: HistoryBucket & { readonly step: number }) => number) =>
    arrays.bigints(rows, (row) => BigInt(value(row)))
  return [
    arrays.bigints(rows, ({ placeId }) => placeId),
    numbers(({ step }) => step),
    arrays.instants(rows, ({ from }) => from),
    arrays.instants(rows, ({ until }) => until),
    numbers(({ entered }) => entered),
    numbers(({ left }) => left),
    numbers(({ exits }) => exits),
    numbers(({ stayed }) => stayed),
    numbers(({ before }) => before),
    numbers(({ least }) => least),
    numbers(({ most }) => most),
    numbers(({ insideTime }) => insideTime)
  ]
}

/** Adopts stays, in a transaction. Answers the ids of the open ones; none where a movement was recorded before. */
export const adopt = Effect.fnUntraced(function* (
  db: Database,
  { organizationId, presence, open, beganAt, keyId, now }: Adoption
) {
  const { tracking_mode: mode } = yield* Effect.mapError(
    requireOrganization<{ readonly tracking_mode: TrackingMode }>(db, organizationId),
    (error) =>
      error._tag === "OrganizationNotFound"
        ? new PremisesNotFound({ premises: OrganizationPremises(organizationId) })
        : error
  )
  yield* Effect.fromResult(admitEarlierStays(mode))
  yield* publishDue(db, organizationId, now)
  const rows = yield* db.run<TotalsRow>(TOTALS, [organizationId])
  const byPlace = new Map(rows.map((row) => [row.place_id, row]))
  const totalsIn = (premises: Premises) => {
    const row = byPlace.get(placeIdOf(premises))
    const isHere = premises._tag === "PlacePremises" || premises.organizationId === organizationId
    return row !== undefined && isHere ? Effect.succeed(totalsOf(row)) : Effect.fail(new PremisesNotFound({ premises }))
  }
  yield* Effect.forEach(open, ({ premises }) => totalsIn(premises), { discard: true })
  const published = yield* Effect.forEach(presence, ({ premises, sum }) =>
    Effect.map(totalsIn(premises), (totals) => ({ ...publishChange(totals, sum, now), exits: sum.exits }))
  )
  if (rows.some((row) => row.has_movements)) return Option.none()

  yield* liftStatementTimeout(db)
  const ids = yield* db.run<{ readonly id: StayId }>(OPEN, [
    organizationId,
    keyId,
    arrays.bigints(open, ({ premises }) => placeIdOf(premises)),
    arrays.instants(open, ({ entrance }) => entrance)
  ])
  yield* db.run(BEGIN_AT, [organizationId, PgTypes.timestamptz(beganAt)])
  yield* db.run(SET_TOTALS, [
    organizationId,
    arrays.bigints(published, ({ totals: { placeId } }) => placeId ?? 0n),
    arrays.bigints(published, ({ totals }) => BigInt(totals.entered)),
    arrays.bigints(published, ({ totals }) => BigInt(totals.left)),
    arrays.bigints(published, ({ exits }) => BigInt(exits)),
    arrays.texts(published, ({ totals }) => totals.level),
    PgTypes.timestamptz(now)
  ])
  yield* publishEvents(
    db,
    organizationId,
    published.flatMap(({ events }) => events)
  )
  yield* db.run(ADD_BUCKETS, [organizationId, ...columnsOfBuckets(presence)])
  yield* db.run(ROLLED_UP, [organizationId])
  return Option.some(ids.map(({ id }) => id))
})
