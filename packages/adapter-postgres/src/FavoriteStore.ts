import { FavoriteExists, FavoriteNotFound, type FavoriteStore, OrganizationNotFound } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import { type Database, missesReference, type Storing } from "./Database.ts"
import { organizationOf, type OrganizationRow } from "./organizations.ts"

const ADD = `
insert into favorite (organization_id, user_id, org_auth_server_id, creation_date)
values ($1::bigint, $2::text, $3::text, $4::timestamptz)
on conflict (organization_id, user_id) do nothing
returning organization_id`

const REMOVE = `
delete from favorite where organization_id = $1::bigint and user_id = $2::text returning organization_id`

const LIST = `
select o.* from favorite f join organization o on o.id = f.organization_id
where f.user_id = $1::text order by f.added`

export const makeFavoriteStore = (db: Database, storing: Storing): FavoriteStore["Service"] => ({
  add: ({ userId, organizationId, orgAuthServerId, creationDate }) =>
    storing(
      "add a favorite",
      db.run(ADD, [organizationId, userId, orgAuthServerId ?? null, PgTypes.timestamptz(creationDate)]).pipe(
        Effect.catchIf(missesReference, () => Effect.fail(new OrganizationNotFound({ organizationId }))),
        Effect.filterOrFail(
          (added) => added.length > 0,
          () => new FavoriteExists({ organizationId })
        ),
        Effect.asVoid
      )
    ),

  remove: (userId, organizationId) =>
    storing(
      "remove a favorite",
      db.run(REMOVE, [organizationId, userId]).pipe(
        Effect.filterOrFail(
          (removed) => removed.length > 0,
          () => new FavoriteNotFound({ organizationId })
        ),
        Effect.asVoid
      )
    ),

  list: (userId) =>
    storing(
      "list favorites",
      Effect.map(db.run<OrganizationRow>(LIST, [userId]), (rows) => rows.map(organizationOf))
    )
})
