/** The port `DeletionRequestStore` in PostgreSQL. An approval deletes the organization in its own transaction. */
import {
  decideDeletion,
  deletionDecided,
  deletionRequested,
  DeletionRequestNotFound,
  type DeletionRequestStore,
  type OrganizationId,
  OrganizationNotFound,
  type PlaceId,
  recorded,
  requestsInOwnName
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import { forReader, type ForReader, readRows, requireLevelIn } from "../database/levels.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { type DeletionRequestRow, requestOf } from "./deletionRequests.ts"
import { requireRow } from "../database/rows.ts"
import { endStays } from "../stays/endings.ts"
import { liftStatementTimeout, requireOrganization } from "../database/locks.ts"

const PENDING = "select * from deletion_request where organization_id = $1::bigint and status = 'pending'"

const PENDING_FOR_READER = forReader(PENDING)

const REQUEST = `
insert into deletion_request (organization_id, administrator_id, reason, creation_date)
values ($1::bigint, $2::text, $3::text, $4::timestamptz)
returning *`

const CONCLUDE = `
update deletion_request set status = $2::text, decision_date = $3::timestamptz, decided_by = $4::text
where id = $1::bigint`

const FEED_VERSION = "select version from presence_feed where organization_id = $1::bigint"

/** The long part of what a feed published: up to the version $2. The feed goes on until the stays have ended. */
const END_EVENTS = "delete from presence_event where organization_id = $1::bigint and version <= $2::bigint"

const END_LATER_EVENTS = "delete from presence_event where organization_id = $1::bigint and version > $2::bigint"

const PLACES = "select id from place where organization_id = $1::bigint"

/** Deletes everything of an organization except its stays and its feed. */
const END = [
  "delete from favorite where organization_id = $1::bigint",
  "delete from account_link where organization_id = $1::bigint",
  "delete from permission where organization_id = $1::bigint",
  "delete from erasure where organization_id = $1::bigint",
  "delete from place where organization_id = $1::bigint",
  "delete from device_epoch where organization_id = $1::bigint",
  "delete from device_premises where organization_id = $1::bigint",
  "delete from device where organization_id = $1::bigint",
  "delete from counted_people where organization_id = $1::bigint",
  "delete from floor_plan where organization_id = $1::bigint",
  "delete from import_key where organization_id = $1::bigint",
  "delete from stay_policy where organization_id = $1::bigint",
  "delete from pending_change where organization_id = $1::bigint",
  "delete from organization where id = $1::bigint"
]

export const makeDeletionRequestStore = (db: Database, storing: Storing): DeletionRequestStore["Service"] => {
  const deleteOrganization = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    // From here on no row that refers to the organization can be added; this waits for transactions that add one.
    yield* db.run("select from organization where id = $1::bigint for update", [organizationId])
    const places = yield* db.run<{ readonly id: PlaceId }>(PLACES, [organizationId])
    const [feed] = yield* db.run<{ readonly version: bigint }>(FEED_VERSION, [organizationId])
    const events = [organizationId, feed?.version ?? 0n]
    yield* liftStatementTimeout(db)
    yield* db.run(END_EVENTS, events)
    yield* endStays(db, organizationId, [0n, ...places.map(({ id }) => id)])
    // This waits for the end of a `publish`; after it no event is added.
    yield* db.run("delete from presence_feed where organization_id = $1::bigint", [organizationId])
    yield* db.run(END_LATER_EVENTS, events)
    for (const statement of END) yield* db.run(statement, [organizationId])
  })

  return {
    request: ({ organizationId, administratorId, named, reason, now }) =>
      storing.by(organizationId).transaction("request a deletion", function* () {
        yield* requireOrganization(db, organizationId)
        yield* requireLevelIn(db, organizationId, administratorId, "owner")
        yield* Effect.fromResult(requestsInOwnName(administratorId, named))
        const [pending] = yield* db.run<DeletionRequestRow>(PENDING, [organizationId])
        if (pending !== undefined) return recorded(requestOf(pending), undefined)
        const [made] = yield* db.run<DeletionRequestRow>(REQUEST, [
          organizationId,
          administratorId,
          reason ?? null,
          PgTypes.timestamptz(now)
        ])
        const request = requestOf(made!)
        return recorded(request, deletionRequested(request))
      }),

    pending: ({ organizationId, administratorId }) =>
      storing.gen("read a pending deletion request", function* () {
        const rows = db.run<ForReader<DeletionRequestRow>>(PENDING_FOR_READER, [organizationId, administratorId])
        const [row] = yield* readRows(rows, "owner", () => new OrganizationNotFound({ organizationId }))
        return Option.map(Option.fromUndefinedOr(row), requestOf)
      }),

    conclude: ({ id, verdict, decidedBy, now }) =>
      storing.long.by(`operator ${decidedBy}`).transaction("conclude a deletion request", function* () {
        const rows = db.run<DeletionRequestRow>("select * from deletion_request where id = $1::bigint for update", [id])
        const row = yield* requireRow(rows, () => new DeletionRequestNotFound({ id }))
        const decision = { decidedBy, decisionDate: now }
        const decided = yield* Effect.fromResult(decideDeletion(requestOf(row), verdict, decision))
        yield* db.run(CONCLUDE, [id, verdict, PgTypes.timestamptz(now), decidedBy])
        if (verdict === "approved") yield* deleteOrganization(decided.organizationId)
        return recorded(decided, deletionDecided(decided))
      }),

    list: (status) =>
      storing(
        "list deletion requests",
        Effect.map(
          db.run<DeletionRequestRow>(
            "select * from deletion_request where $1::text is null or status = $1::text order by creation_date, id",
            [Option.getOrNull(status)]
          ),
          (rows) => rows.map(requestOf)
        )
      )
  }
}
