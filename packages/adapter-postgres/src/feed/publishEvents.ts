/** Operations on the feed of an organization that are part of other stores' transactions. */
import { type OrganizationId, type PlaceId, type PresenceEventData, Timestamp } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect } from "effect"
import type { Database } from "../database/Database.ts"
import { LOCK_ORGANIZATION, onOrganization } from "../database/locks.ts"
import { columnsOf } from "./events.ts"
import { CREATE_FEED, CREATE_TOTALS, DELETE_TOTALS, END_COUNTED, KEEP_COUNTS } from "./feed.sql.ts"
import { hasPublishingInterval } from "./interval.sql.ts"
import { END_ANONYMITY, LOCK_FEED, PUBLISH_DUE, PUBLISH_EVENTS, PUBLISH_PREMISES } from "./publish.sql.ts"

const present = Effect.map(Clock.currentTimeMillis, Timestamp)

/**
 * Locks the feed of an organization until the transaction ends, and publishes the changes that are due if it has a publishing interval:
 * after other events they would have to wait for the next multiple, as the times of events never go back.
 */
export const publishDue = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId, now: Timestamp) {
  const [feed] = yield* db.run<{ readonly has_publishing_interval: boolean }>(LOCK_FEED, [organizationId])
  if (feed?.has_publishing_interval === true) yield* db.run(PUBLISH_DUE, [PgTypes.timestamptz(now), organizationId])
})

const publish = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  events: ReadonlyArray<PresenceEventData>,
  statement: string,
  parameters: ReadonlyArray<unknown>,
  { afterDue }: { readonly afterDue: boolean }
) {
  const now = yield* present
  if (afterDue) yield* publishDue(db, organizationId, now)
  const columns = JSON.stringify(events.map(columnsOf))
  return yield* db.run<{ readonly place_id: bigint }>(statement, [
    organizationId,
    PgTypes.timestamptz(now),
    columns,
    ...parameters
  ])
})

/** Adds events to the feed of an organization. It locks the feed until the commit, so it comes last in a transaction. */
export const publishEvents = (db: Database, organizationId: OrganizationId, events: ReadonlyArray<PresenceEventData>) =>
  events.length === 0
    ? Effect.void
    : Effect.asVoid(publish(db, organizationId, events, PUBLISH_EVENTS, [], { afterDue: true }))

/** `lockOrganization` for {@link publishWith}. */
export const lockToPublish = onOrganization<{
  readonly revision: bigint
  readonly has_publishing_interval: boolean
}>(`${LOCK_ORGANIZATION}, ${hasPublishingInterval("organization.id")} as has_publishing_interval`)

/**
 * Runs a statement of `publishEventsWith` that adds an event, whose further parameters begin with $4, and returns the place of the event. The
 * organization is the row of {@link lockToPublish}.
 */
export const publishWith = (
  db: Database,
  organization: { readonly id: OrganizationId; readonly has_publishing_interval: boolean },
  statement: string,
  event: PresenceEventData,
  parameters: ReadonlyArray<unknown>
) =>
  Effect.map(
    publish(db, organization.id, [event], statement, parameters, { afterDue: organization.has_publishing_interval }),
    ([row]) => row!.place_id
  )

/** Notes that an organization is anonymous no longer, in the transaction that changes its mode next. It locks the feed until the commit. */
export const endAnonymity = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId) {
  const now = yield* present
  yield* publishDue(db, organizationId, now)
  yield* db.run(END_ANONYMITY, [organizationId, PgTypes.timestamptz(now)])
})

/** Creates the totals of premises (`placeId` 0: of the organization), in the transaction that creates the premises. */
const createTotals = (db: Database, organizationId: OrganizationId, placeId: bigint, now: Timestamp) =>
  db.run(CREATE_TOTALS, [organizationId, placeId, PgTypes.timestamptz(now)])

/** Creates the feed of an organization, in the transaction that creates the organization. */
export const createFeed = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId, now: Timestamp) {
  yield* db.run(CREATE_FEED, [organizationId, PgTypes.timestamptz(now)])
  yield* createTotals(db, organizationId, 0n, now)
})

/** Publishes all pending changes of premises, whether or not they are due. The transaction has locked the feed. */
export const publishPremises = (db: Database, organizationId: OrganizationId, placeId: bigint, now: Timestamp) =>
  db.run(PUBLISH_PREMISES, [PgTypes.timestamptz(now), organizationId, placeId])

/** Publishes the pending changes of a place whose stays have ended, with the people counted there, and its deletion, and deletes its totals. */
export const endPlace = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId, placeId: PlaceId) {
  const now = yield* present
  yield* db.run(END_COUNTED, [organizationId, placeId, PgTypes.timestamptz(now)])
  yield* publishDue(db, organizationId, now)
  yield* publishPremises(db, organizationId, placeId, now)
  yield* db.run(KEEP_COUNTS, [organizationId, placeId])
  yield* db.run(DELETE_TOTALS, [organizationId, placeId])
  yield* publishEvents(db, organizationId, [{ _tag: "PlaceChanged", placeId, changed: "deleted" }])
})
