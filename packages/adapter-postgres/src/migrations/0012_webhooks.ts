import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Webhooks, how far their deliveries are, the server that makes them, and their last attempts. No secret is stored: each is derived from a key. */
export const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create sequence webhook_id maxvalue 9007199254740991`
  yield* sql`create table webhook (
    id bigint primary key default nextval('webhook_id'),
    organization_id bigint not null references organization (id) on delete cascade,
    url text not null,
    types text[] not null,
    key_id smallint not null,
    secret_number integer not null default 0,
    earlier_key_id smallint,
    earlier_secret_number integer,
    earlier_until timestamptz,
    creation_date timestamptz not null,
    created_by text not null,
    is_test_due boolean not null default false,
    revision integer not null default 0,
    attempted bigint not null default 0,
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
    leased_until timestamptz,
    check (num_nulls(earlier_key_id, earlier_secret_number, earlier_until) in (0, 3))
  ) with (fillfactor = 50)`
  yield* sql`create index webhook_by_organization on webhook (organization_id, id)`
  yield* sql`alter table webhook alter column created_by set statistics 0`
  yield* sql`create index webhook_by_creator on webhook (created_by)`
  yield* sql`create index webhook_test_due on webhook (id) where is_test_due`
  // A ring: an attempt takes the place of the one that was so many before it.
  yield* sql`create table webhook_attempt (
    webhook_id bigint not null references webhook (id) on delete cascade,
    slot smallint not null check (slot between 0 and 49),
    number bigint not null,
    version bigint,
    at timestamptz not null,
    status integer,
    ms bigint not null,
    failure text,
    primary key (webhook_id, slot)
  ) with (fillfactor = 50)`
})
