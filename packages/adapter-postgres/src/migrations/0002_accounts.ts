import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Invitations by mail address, and administrators who sign in with a password. */
export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table administrator_account
    add column is_invitation boolean not null default false,
    add column password_hash text`
})
