/**
 * The port `PresenceFeed` in PostgreSQL. Movements record deltas, `tell` turns them into numbered events, and a notification
 * says so to other servers.
 */
import {
  type CapacityLevel,
  type FeedPage,
  type FeedPosition,
  OrganizationId,
  type PresenceFeed,
  type PresenceHead,
  type PresenceSnapshot,
  StoreError,
  Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { arrays } from "../database/columns.ts"
import { type Database, describe, type Storing } from "../database/Database.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { instantOf, numberOf } from "../database/rows.ts"
import type { Sessions } from "../database/Sessions.ts"
import { rollUp } from "../history/HistoryStore.ts"
import { eventOf, type EventRow, placeOfRow } from "./events.ts"
import { CHANNEL, EPOCH, EVENTS_AFTER, FORGET_EVENTS, SNAPSHOTS, TELL } from "./feed.sql.ts"

interface ToldRow {
  /** The ids, separated by commas. */
  readonly organizations: string
  readonly next_at: Date | null
  /** Whether there are deltas of an organization whose feed another transaction has locked, or that has only begun. */
  readonly has_skipped: boolean
}

interface HeadRow {
  readonly organization_id: OrganizationId
  readonly version: bigint
  readonly place_id: bigint
  readonly entered: bigint
  readonly departed: bigint
  readonly capacity: bigint | null
  readonly warn_at: number | null
  readonly level: CapacityLevel
  readonly told_at: Date | null
}

interface PositionRow {
  /** The number of the position, from 1. */
  readonly n: number
  readonly exists: boolean
  readonly last: bigint
  readonly version: bigint | null
}

/** After how many milliseconds skipped deltas are looked for again. */
const SKIPPED = 20

/** The number of events of an organization that are added to the history at once. */
const ROLLED_UP_AT_ONCE = 500

const idsOf = (text: string): ReadonlyArray<OrganizationId> =>
  text === "" ? [] : text.split(",").map((id) => OrganizationId.make(BigInt(id)))

const earliest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

const headOf = (row: HeadRow): PresenceHead => {
  const capacity = numberOf(row.capacity)
  return {
    placeId: placeOfRow(row),
    entered: Number(row.entered),
    left: Number(row.departed),
    capacity: capacity === undefined ? undefined : { capacity, warnAt: row.warn_at! },
    level: row.level,
    toldAt: instantOf(row.told_at)
  }
}

/** The rows of an organization follow each other: itself, then its places. */
const snapshotsOf = (rows: ReadonlyArray<HeadRow>): Effect.Effect<ReadonlyArray<PresenceSnapshot>> =>
  Effect.gen(function* () {
    const snapshots = new Map<OrganizationId, PresenceSnapshot & { readonly heads: Array<PresenceHead> }>()
    yield* mapInPortions(rows, (row) => {
      const { organization_id: organizationId } = row
      const head = headOf(row)
      const known = snapshots.get(organizationId)
      if (known === undefined) {
        snapshots.set(organizationId, { organizationId, version: Number(row.version), heads: [head] })
      } else known.heads.push(head)
    })
    return [...snapshots.values()]
  })

const pageOf = (
  { organizationId, version }: FeedPosition,
  rows: ReadonlyArray<PositionRow & Partial<EventRow>>
): FeedPage => {
  const [first] = rows
  if (first?.exists !== true) return { _tag: "Gone", organizationId }
  const last = Number(first.last)
  const nearest = typeof first.version === "bigint" ? Number(first.version) - 1 : last
  if (nearest !== version) return { _tag: "Unknown", organizationId, nearest }
  const events = rows.flatMap((row) => (row.version === null ? [] : eventOf(organizationId, row as EventRow)))
  return { _tag: "Events", organizationId, events }
}

/** Makes the feed. `recorded` is opened by whatever records deltas. `client` listens for the notifications of other servers. */
export const makePresenceFeed = (
  db: Database,
  storing: Storing,
  recorded: Latch.Latch,
  client: Option.Option<Pick<Sessions, "listen">>
): PresenceFeed["Service"] => ({
  tell: (now) =>
    Effect.andThen(
      recorded.close,
      storing(
        "tell events of presence",
        Effect.map(db.run<ToldRow>(TELL, [PgTypes.timestamptz(now)]), ([row]) => {
          const nextAt = earliest(instantOf(row!.next_at), row!.has_skipped ? now + SKIPPED : undefined)
          return {
            organizations: idsOf(row!.organizations),
            nextAt: Option.map(Option.fromUndefinedOr(nextAt), Timestamp)
          }
        })
      )
    ),

  recorded: recorded.await,

  news: Option.match(client, {
    onNone: () => Stream.never,
    onSome: ({ listen }) =>
      Stream.unwrap(Effect.map(listen(CHANNEL), Stream.fromQueue)).pipe(
        Stream.map(({ payload }) => idsOf(payload)),
        Stream.mapError(
          (error: SqlError) => new StoreError({ operation: "listen for events of presence", cause: describe(error) })
        )
      )
  }),

  snapshots: (organizationIds) =>
    storing(
      "read snapshots of presence",
      Effect.flatMap(db.run<HeadRow>(SNAPSHOTS, [arrays.bigints(organizationIds, (id) => id)]), snapshotsOf)
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

  epoch: storing(
    "read the epoch of presence",
    Effect.map(db.run<{ readonly epoch: string }>(EPOCH, []), ([row]) => row!.epoch)
  ),

  forget: (before, most) =>
    storing(
      "forget events of presence",
      Effect.gen(function* () {
        while ((yield* rollUp(db, ROLLED_UP_AT_ONCE)) > 0);
        const [row] = yield* db.run<{ readonly forgotten: bigint }>(FORGET_EVENTS, [PgTypes.timestamptz(before), most])
        return Number(row!.forgotten)
      })
    )
})
