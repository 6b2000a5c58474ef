/**
 * The port `PresenceFeed` in PostgreSQL. Movements append pending changes, `publish` turns them into numbered events, and a
 * notification reaches other servers.
 */
import {
  type FeedPage,
  type FeedPosition,
  OrganizationId,
  type PresenceFeed,
  type PresenceTotals,
  type PresenceSnapshot,
  StoreError
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, type Latch, Option, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "../database/columns.ts"
import { type Database, describe } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { countOf } from "../database/rows.ts"
import type { Sessions } from "../database/Sessions.ts"
import { eventOf, type EventRow } from "./events.ts"
import { type PremisesTotalsRow, totalsOf } from "./totals.ts"
import { EVENTS_AFTER, FORGET_EVENTS, GENERATION, SNAPSHOTS } from "./feed.sql.ts"
import { CHANNEL } from "./publish.sql.ts"
import { publishPending } from "./publishPending.ts"

interface TotalsRow extends PremisesTotalsRow {
  readonly organization_id: OrganizationId
  readonly version: bigint
}

interface PositionRow {
  /** The number of the position, from 1. */
  readonly n: number
  /** The last version of the feed; null where the organization does not exist. */
  readonly last: bigint | null
  readonly version: bigint | null
}

/** The number of events of an organization that are added to the history at once. */
const ROLL_UP_EVENTS = 500

/** The rows of an organization follow each other: itself, then its places. */
const snapshotsOf = (rows: ReadonlyArray<TotalsRow>): Effect.Effect<ReadonlyArray<PresenceSnapshot>> =>
  Effect.gen(function* () {
    const snapshots = new Map<OrganizationId, PresenceSnapshot & { readonly totals: Array<PresenceTotals> }>()
    yield* mapInPortions(rows, (row) => {
      const { organization_id: organizationId } = row
      const totals = totalsOf(row)
      const known = snapshots.get(organizationId)
      if (known === undefined) {
        snapshots.set(organizationId, { organizationId, version: Number(row.version), totals: [totals] })
      } else known.totals.push(totals)
    })
    return [...snapshots.values()]
  })

const pageOf = (
  { organizationId, version }: FeedPosition,
  rows: ReadonlyArray<PositionRow & Partial<EventRow>>
): FeedPage => {
  const [first] = rows
  if (first === undefined || first.last === null) return { _tag: "Gone", organizationId }
  const last = Number(first.last)
  const nearest = typeof first.version === "bigint" ? Number(first.version) - 1 : last
  if (nearest !== version) return { _tag: "Unknown", organizationId, nearest }
  const events = rows.flatMap((row) => (row.version === null ? [] : eventOf(organizationId, row as EventRow)))
  return { _tag: "Events", organizationId, events }
}

/**
 * Makes the feed. `appended` is opened by the stores that append pending changes. `listen` subscribes to notifications. `rollUp` adds events to
 * the history, before they are forgotten.
 */
export const makePresenceFeed = (
  db: Database,
  storing: Storing,
  appended: Latch.Latch,
  listen: Option.Option<NonNullable<Sessions["listen"]>>,
  rollUp: (db: Database, most: number) => Effect.Effect<number, SqlError>
): PresenceFeed["Service"] => ({
  publish: (now) =>
    Effect.andThen(appended.close, storing.byServer("publish events of presence", publishPending(db, now))),

  appended: appended.await,

  notifications: Option.match(listen, {
    onNone: () => Stream.never,
    onSome: (subscribe) =>
      storing(
        "find the channel of presence",
        db.run<{ readonly channel: string }>(`select ${CHANNEL} as channel`, [])
      ).pipe(
        Effect.flatMap(([row]) => subscribe(row!.channel)),
        Effect.map(Stream.fromQueue),
        Stream.unwrap,
        Stream.map(({ payload }) => [OrganizationId.make(BigInt(payload))]),
        Stream.mapError((error: SqlError | StoreError) =>
          error._tag === "StoreError"
            ? error
            : new StoreError({ operation: "listen for events of presence", cause: describe(error) })
        )
      )
  }),

  snapshots: (organizationIds) =>
    storing(
      "read snapshots of presence",
      Effect.flatMap(db.run<TotalsRow>(SNAPSHOTS, [arrays.bigints(organizationIds, (id) => id)]), snapshotsOf)
    ),

  eventsAfter: (positions, most) =>
    storing(
      "read events of presence",
      Effect.map(
        db.run<PositionRow & Partial<EventRow>>(EVENTS_AFTER, [
          arrays.bigints(positions, ({ organizationId }) => organizationId),
          arrays.bigints(positions, ({ version }) => BigInt(version)),
          most
        ]),
        (rows) => {
          const byPosition = Map.groupBy(rows, ({ n }) => n)
          return positions.map((position, i) => pageOf(position, byPosition.get(i + 1) ?? []))
        }
      )
    ),

  generation: storing(
    "read the generation of presence",
    Effect.map(db.run<{ readonly generation: string }>(GENERATION, []), ([row]) => row!.generation)
  ),

  forget: (before, most) =>
    storing.byServer.gen("forget events of presence", function* () {
      while ((yield* rollUp(db, ROLL_UP_EVENTS)) > 0);
      return yield* countOf(db.run(FORGET_EVENTS, [PgTypes.timestamptz(before), most]))
    })
})
