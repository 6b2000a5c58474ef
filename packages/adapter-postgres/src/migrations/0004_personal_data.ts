/**
 * What erasing a person needs: the ledger, and ways to find them by every name that they have.
 *
 * PostgreSQL samples columns for its planner, and keeps some values as they are until it samples the next time, which may be
 * never. So nothing is sampled of what names a person, and what was is forgotten: to declare a column anew, as what it is,
 * does that and costs nothing. The statements of the stores are planned for any values, and do not miss it.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Every column that names a person, or holds words of theirs. */
const IDENTIFYING = {
  account_link: ["user_id", "org_auth_server_id"],
  favorite: ["user_id", "org_auth_server_id"],
  open_stay: ["person"],
  stay: ["person"],
  entrance_retry: ["person", "retry_key"],
  permission: ["administrator_id", "nominated_by", "org_auth_server_id"],
  administrator_account: ["administrator_id", "mail", "mail_key", "password_hash"],
  deletion_request: ["administrator_id", "reason", "decided_by"]
} as const

export const personalData = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table erasure (
    organization_id bigint not null references organization (id),
    day date not null,
    people bigint not null,
    accesses bigint not null,
    open_stays bigint not null,
    total_time bigint not null,
    primary key (organization_id, day)
  )`
  yield* sql`create index account_link_by_user on account_link (user_id)`
  yield* sql`create index permission_by_nominator on permission (nominated_by)`
  yield* sql`create index favorite_by_person on favorite (organization_id, org_auth_server_id)
    where org_auth_server_id is not null`
  yield* sql`create index entrance_retry_by_person on entrance_retry (organization_id, person) where person is not null`
  for (const [table, columns] of Object.entries(IDENTIFYING)) {
    for (const column of columns) {
      yield* sql.unsafe(`alter table ${table} alter column ${column} type text`)
      yield* sql.unsafe(`alter table ${table} alter column ${column} set statistics 0`)
    }
  }
})
