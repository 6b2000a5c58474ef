import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Webhooks, how far their deliveries are, and the server that makes them. No secret is stored: each is derived from a key. */
export const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create sequence webhook_id maxvalue 9007199254740991`
  yield* sql`create table webhook (
    id bigint primary key default nextval('webhook_id'),
    organization_id bigint not null references organization (id) on delete cascade,
    url text not null,
    types text[] not null,
    key_id smallint not null,
    creation_date timestamptz not null,
    handled bigint not null,
    until bigint,
    delivered bigint,
    presence_at timestamptz,
    attempts integer not null default 0,
    retry_at timestamptz,
    state text not null default 'active' check (state in ('active', 'failing', 'disabled')),
    failed_at timestamptz,
    failure text,
    holder text,
    leased_until timestamptz
  ) with (fillfactor = 50)`
  yield* sql`create index webhook_by_organization on webhook (organization_id, id)`
})
