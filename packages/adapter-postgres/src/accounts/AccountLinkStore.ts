import {
  AccountLinkNotFound,
  type AccountLinkStore,
  mayLink,
  OrganizationNotFound,
  type OrgAuthServerId,
  type TrackingMode,
  type UserId
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { brokenKey, type Database, missesReference, WriteConflict } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { requireRow } from "../database/rows.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { factsFor } from "../database/premises.sql.ts"

const HOLDER = `
select l.user_id
from organization o
left join account_link l on l.organization_id = o.id and l.org_auth_server_id = $2::text
where o.id = $1::bigint`

/** The tracking mode of premises, and the person whom the user $3 is linked to. */
const TIE = factsFor("$3")

const PUT = `
insert into account_link (organization_id, user_id, org_auth_server_id) values ($1::bigint, $2::text, $3::text)
on conflict (organization_id, user_id) do update set org_auth_server_id = excluded.org_auth_server_id`

const REMOVE = `
delete from account_link where organization_id = $1::bigint and user_id = $2::text returning user_id`

/** Links of users to people in PostgreSQL. */
export const makeAccountLinkStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): AccountLinkStore["Service"] => ({
  put: ({ userId, organizationId, orgAuthServerId }) =>
    storing.unaudited(organizationId).gen("put an account link", function* () {
      const rows = db.run<{ readonly user_id: UserId | null }>(HOLDER, [organizationId, orgAuthServerId])
      const row = yield* requireRow(rows, () => new OrganizationNotFound({ organizationId }))
      yield* Effect.fromResult(mayLink(userId, Option.fromNullishOr(row.user_id)))
      yield* db.run(PUT, [organizationId, userId, orgAuthServerId]).pipe(
        Effect.catchIf(missesReference, () => Effect.fail(new OrganizationNotFound({ organizationId }))),
        // A concurrent transaction linked another user to the person.
        Effect.catchIf(
          (error) => error._tag === "SqlError" && brokenKey(error) === "account_link_person",
          () => Effect.fail(new WriteConflict())
        )
      )
    }),

  remove: (userId, organizationId) =>
    storing.unaudited(organizationId)(
      "remove an account link",
      Effect.asVoid(
        requireRow(db.run(REMOVE, [organizationId, userId]), () => new AccountLinkNotFound({ organizationId }))
      )
    ),

  tie: (premises, userId) =>
    storing.gen("read a tie", function* () {
      const located = yield* directory.locate(premises)
      if (Option.isNone(located)) return Option.none()
      const { organizationId, placeId } = located.value
      const [row] = yield* db.run<{
        readonly tracking_mode: TrackingMode
        readonly linked: OrgAuthServerId | null
      }>(TIE, [organizationId, placeId, userId])
      return row === undefined
        ? Option.none()
        : Option.some({ organizationId, mode: row.tracking_mode, linked: Option.fromNullishOr(row.linked) })
    })
})
