import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Which mail addresses of administrators an owner wrote down, and nobody proved. Of accounts that an owner made with an id of
 * their choosing that is not known any more: they keep their addresses.
 */
export const unprovedAddresses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table administrator_account add column is_mail_unproved boolean not null default false`
  yield* sql`update administrator_account set is_mail_unproved = true where is_invitation or password_hash is not null`
})
