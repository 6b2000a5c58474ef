/** What the other stores do to the feed of an organization, as part of their transactions. */
import { type OrganizationId, type PlaceId, type PresenceNews, Timestamp } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { columnsOf } from "./events.ts"
import { BEGIN_FEED, BEGIN_HEAD, END_HEAD, TELL_DUE, TELL_NEWS, TELL_PREMISES } from "./feed.sql.ts"

const present = Effect.map(Clock.currentTimeMillis, Timestamp)

/**
 * Tells what is due of an organization with a publishing interval, as part of a transaction that adds other events: after them it would
 * have to wait for the next multiple, as no event is before the one before it.
 */
export const tellDue = (db: Database, organizationId: OrganizationId, now: Timestamp) =>
  db.run(TELL_DUE, [PgTypes.timestamptz(now), organizationId])

/**
 * Adds events to the feed of an organization, as part of a transaction. It locks the feed until the commit, so it comes last.
 * Readers are notified after the commit.
 */
export const tellNews = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  news: ReadonlyArray<PresenceNews>
) {
  if (news.length === 0) return
  const now = yield* present
  yield* tellDue(db, organizationId, now)
  yield* db.run(TELL_NEWS, [organizationId, PgTypes.timestamptz(now), JSON.stringify(news.map(columnsOf))])
})

/** Lets the feed of premises begin (`placeId` 0: the organization and its feed), as part of the transaction that creates them. */
export const beginPremises = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  placeId: bigint,
  now: Timestamp
) {
  const at = PgTypes.timestamptz(now)
  yield* db.run(BEGIN_FEED, [organizationId, at])
  yield* db.run(BEGIN_HEAD, [organizationId, placeId, at])
})

/** Locks the feed until the transaction ends: no other one changes the head of the premises, which begins if it has not. */
export const lockPremises = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  placeId: bigint,
  now: Timestamp
) {
  const at = PgTypes.timestamptz(now)
  yield* db.run(BEGIN_FEED, [organizationId, at])
  yield* db.run("select from presence_feed where organization_id = $1::bigint for no key update", [organizationId])
  yield* db.run(BEGIN_HEAD, [organizationId, placeId, at])
})

/** Tells what is recorded of locked premises, whatever the grain. */
export const tellPremises = (db: Database, organizationId: OrganizationId, placeId: bigint, now: Timestamp) =>
  db.run(TELL_PREMISES, [PgTypes.timestamptz(now), organizationId, placeId])

/** Ends the feed of a place whose stays have ended: tells what is recorded of it, and that it was deleted. */
export const endPlace = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId, placeId: PlaceId) {
  const now = yield* present
  yield* lockPremises(db, organizationId, placeId, now)
  yield* tellDue(db, organizationId, now)
  yield* tellPremises(db, organizationId, placeId, now)
  yield* db.run(END_HEAD, [organizationId, placeId])
  yield* tellNews(db, organizationId, [{ _tag: "PlaceChanged", placeId, changed: "deleted" }])
})
