import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Which mail addresses of administrators an owner wrote down without proof. Of earlier accounts that is not known: only the
 * address of an organization's first owner is certainly an operator's word. All others count as unproved until their
 * administrator's next call proves them, or an owner could have written one down before the upgrade and be trusted after it.
 */
export const unprovedAddresses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table administrator_account add column is_mail_unproved boolean not null default false`
  yield* sql`
    update administrator_account a set is_mail_unproved = true
    where mail_key is not null and not exists (
      select from permission p where p.administrator_id = a.administrator_id and p.nominated_by = a.administrator_id
    )`
})
