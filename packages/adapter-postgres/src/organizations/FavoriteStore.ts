/** The port `FavoriteStore` in PostgreSQL. */
import {
  claimFavorite,
  FavoriteExists,
  type FavoriteId,
  FavoriteNotFound,
  type FavoriteStore,
  type ListedFavorite,
  noFavoriteIn,
  type OrgAuthServerId
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { holdOrganization, requireOrganization } from "../database/locks.ts"
import { requireRow } from "../database/rows.ts"
import { organizationOf, type OrganizationRow } from "./organizations.ts"
import { pageOf, selectPage } from "./pages.ts"

/** Locks the link until the transaction ends. A concurrent erasure waits and finds the favorite, or this waits for it and finds no link. */
const LINK = `
select org_auth_server_id from account_link where organization_id = $1::bigint and user_id = $2::text for key share`

/** Of a user's additions one is made at a time, so that no two favorites have one number. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema() || $1::text, 3310774521))"

/** By the rule `nextFavoriteId`: $5 is the number before those of the cell. */
const ADD = `
insert into favorite (organization_id, user_id, org_auth_server_id, creation_date, added)
select $1::bigint, $2::text, $3::text, $4::timestamptz, coalesce(max(added), $5::bigint) + 1
from favorite where user_id = $2::text
on conflict (organization_id, user_id) do nothing
returning organization_id`

const REMOVE = `
delete from favorite where organization_id = $1::bigint and user_id = $2::text returning organization_id`

const LIST = selectPage(
  "(select f.user_id, f.added, o.* from favorite f join organization o on o.id = f.organization_id) favorite_organization",
  "user_id = $1::text and added > $2::bigint",
  { id: "added" }
)

interface FavoriteRow extends OrganizationRow {
  readonly added: FavoriteId
  readonly has_more: boolean
}

const listedOf = (row: FavoriteRow): ListedFavorite => ({ id: row.added, organization: organizationOf(row) })

/** Less than the id of every favorite. */
const NO_FAVORITE = 0n

export const makeFavoriteStore = (db: Database, storing: Storing): FavoriteStore["Service"] => ({
  add: (claim) =>
    storing.unaudited(claim.organizationId).transaction("add a favorite", function* () {
      const { organizationId, userId } = claim
      const organization = organizationOf(
        yield* requireOrganization<OrganizationRow>(db, organizationId, holdOrganization)
      )
      const [link] = yield* db.run<{ readonly org_auth_server_id: OrgAuthServerId }>(LINK, [organizationId, userId])
      const linked = Option.fromUndefinedOr(link?.org_auth_server_id)
      const favorite = yield* Effect.fromResult(claimFavorite(organization.trackingMode, linked, claim))
      const { orgAuthServerId = null, creationDate } = favorite
      yield* db.run(LOCK, [userId])
      const values = [
        organizationId,
        userId,
        orgAuthServerId,
        PgTypes.timestamptz(creationDate),
        noFavoriteIn(organizationId)
      ]
      yield* requireRow(db.run(ADD, values), () => new FavoriteExists({ organizationId }))
      return { favorite, organization }
    }),

  remove: (userId, organizationId) =>
    storing.unaudited(organizationId)(
      "remove a favorite",
      Effect.asVoid(
        requireRow(db.run(REMOVE, [organizationId, userId]), () => new FavoriteNotFound({ organizationId }))
      )
    ),

  list: (userId, after = NO_FAVORITE as FavoriteId) =>
    storing(
      "list favorites",
      Effect.map(db.run<FavoriteRow>(LIST, [userId, after]), (rows) => pageOf(rows, listedOf))
    )
})
