/** Publishes the pending changes of all organizations, in short transactions of a few organizations each. */
import { type OrganizationId, type Published, Timestamp } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Array as Arr, Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { organizationsApart, togetherOrApart } from "../database/leavingOut.ts"
import { LOCK_FREE_FEEDS, PENDING, PUBLISH_DUE } from "./publish.sql.ts"

/** An organization with pending changes. */
interface PendingRow {
  readonly organization_id: OrganizationId
  /** Whether changes of some premises are due. */
  readonly is_due: boolean
  /** When the next of the other changes are due. */
  readonly next_at: Date | null
}

interface PublishedRow {
  readonly has_events: boolean
  /** When the changes are due that a publishing interval leaves. */
  readonly next_at: Date | null
}

/** How many organizations a transaction publishes. Until its commit their places and capacities cannot change. */
const ORGANIZATIONS_PER_TRANSACTION = 50

/** How many transactions run at once, each on a connection of its own. */
const MAX_TRANSACTIONS = 4

/** After how many milliseconds organizations are tried again that another transaction had locked. */
const RETRY_LOCKED_MS = 20

const earliest = (times: ReadonlyArray<Date | number | null>): Timestamp | undefined => {
  const known = times.flatMap((time) => (time === null ? [] : Number(time)))
  return known.length === 0 ? undefined : Timestamp(Math.min(...known))
}

/** Publishes what is due of some organizations. Those that another transaction has locked are left out of the answer. */
const publishSome = (db: Database, organizationIds: ReadonlyArray<OrganizationId>, now: Timestamp) =>
  db.transaction(
    Effect.gen(function* () {
      const locked = yield* db.run<Pick<PendingRow, "organization_id">>(LOCK_FREE_FEEDS, [
        arrays.bigints(organizationIds, (id) => id)
      ])
      return yield* Effect.forEach(locked, ({ organization_id: organizationId }) =>
        Effect.map(db.run<PublishedRow>(PUBLISH_DUE, [PgTypes.timestamptz(now), organizationId]), ([row]) => ({
          ...row!,
          organizationId
        }))
      )
    })
  )

/** Publishes what is due of all organizations. It waits for no lock of a feed. */
export const publishPending = (db: Database, now: Timestamp): Effect.Effect<Published, SqlError> =>
  Effect.gen(function* () {
    const pending = yield* db.run<PendingRow>(PENDING, [PgTypes.timestamptz(now)])
    const due = pending.flatMap((row) => (row.is_due ? row.organization_id : []))
    const published = (yield* Effect.forEach(
      Arr.chunksOf(due, ORGANIZATIONS_PER_TRANSACTION),
      (organizationIds) =>
        togetherOrApart(
          publishSome(db, organizationIds, now),
          Effect.map(
            organizationsApart("the publishing of events", organizationIds, (id) => publishSome(db, [id], now)),
            (published) => published.flat()
          )
        ),
      { concurrency: MAX_TRANSACTIONS }
    )).flat()
    const nextAt = earliest([
      ...[...pending, ...published].map(({ next_at }) => next_at),
      published.length < due.length ? now + RETRY_LOCKED_MS : null
    ])
    return {
      organizations: published.flatMap(({ organizationId, has_events }) => (has_events ? organizationId : [])),
      nextAt: Option.fromUndefinedOr(nextAt)
    }
  })
