import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The first schema. It is shaped to be distributed by Citus with one further migration, which asks three things of it:
 *
 * - every unique key of a table that grows with organizations' data begins with `organization_id` (`organization`,
 *   `administrator_account` and `deletion_request` are small and become reference tables);
 * - ids come from sequences of their own, never from identity columns;
 * - foreign keys lead to reference tables alone. `open_stay` and `stay` have none: a check of the organization would write
 *   to its one row with every movement.
 *
 * `place_id` 0 stands for the organization as a whole: no place is ever called so, and unlike null it is equal to itself.
 */
const STATEMENTS = [
  `create sequence organization_id maxvalue 9007199254740991`,
  `create table organization (
    id bigint primary key default nextval('organization_id'),
    name text not null constraint organization_name unique,
    description text,
    image text,
    street text,
    number text,
    post_code jsonb,
    city text,
    country text,
    authentication_server text,
    tracking_area text not null,
    tracking_mode text not null check (tracking_mode in ('anonymous', 'authenticated')),
    max_area double precision,
    creation_date timestamptz not null,
    last_change_date timestamptz not null
  )`,

  `create sequence place_id maxvalue 9007199254740991`,
  `create table place (
    organization_id bigint not null references organization (id),
    id bigint not null default nextval('place_id'),
    name text,
    tracking_area text not null,
    primary key (organization_id, id)
  )`,
  `create index place_by_id on place (id)`,

  `create table administrator_account (
    administrator_id text primary key,
    mail text,
    mail_key text constraint administrator_account_mail unique
  )`,

  `create sequence permission_granted`,
  `create table permission (
    organization_id bigint not null references organization (id),
    administrator_id text not null references administrator_account (administrator_id),
    level text not null check (level in ('viewer', 'manager', 'owner')),
    org_auth_server_id text,
    nominated_by text not null,
    granted bigint not null default nextval('permission_granted'),
    primary key (organization_id, administrator_id)
  )`,
  `create index permission_by_administrator on permission (administrator_id)`,

  `create table account_link (
    organization_id bigint not null references organization (id),
    user_id text not null,
    org_auth_server_id text not null,
    primary key (organization_id, user_id),
    constraint account_link_person unique (organization_id, org_auth_server_id)
  )`,

  `create sequence favorite_added`,
  `create table favorite (
    organization_id bigint not null references organization (id),
    user_id text not null,
    org_auth_server_id text,
    creation_date timestamptz not null,
    added bigint not null default nextval('favorite_added'),
    primary key (organization_id, user_id)
  )`,
  `create index favorite_by_user on favorite (user_id)`,

  // No foreign key: requests outlive their organizations.
  `create sequence deletion_request_id maxvalue 9007199254740991`,
  `create table deletion_request (
    id bigint primary key default nextval('deletion_request_id'),
    organization_id bigint not null,
    administrator_id text not null,
    reason text,
    creation_date timestamptz not null,
    status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
    decision_date timestamptz,
    decided_by text
  )`,
  `create unique index deletion_request_pending on deletion_request (organization_id) where status = 'pending'`,

  // The people inside: as big as the crowd, whatever the history. recorded_at is the service's own clock.
  `create sequence stay_id maxvalue 9007199254740991`,
  `create table open_stay (
    organization_id bigint not null,
    place_id bigint not null,
    id bigint not null default nextval('stay_id'),
    person text,
    key_id smallint not null,
    entered_at timestamptz not null,
    recorded_at timestamptz not null,
    primary key (organization_id, place_id, id)
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  `create unique index open_stay_person on open_stay (organization_id, place_id, person) where person is not null`,

  // The history. Rows are only ever added, in the order of time; vacuuming by inserts keeps its lists index-only.
  `create table stay (
    organization_id bigint not null,
    place_id bigint not null,
    id bigint not null,
    person text,
    entered_at timestamptz not null,
    exited_at timestamptz not null check (exited_at >= entered_at),
    primary key (organization_id, place_id, id)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  `create index stay_by_person on stay (organization_id, place_id, person, entered_at) include (id, exited_at)
    where person is not null`,

  // Which stay a retried entrance opened, for a day.
  `create table entrance_retry (
    organization_id bigint not null,
    place_id bigint not null,
    retry_key text not null,
    stay_id bigint not null,
    person text,
    key_id smallint not null,
    entered_at timestamptz not null,
    used_at timestamptz not null,
    constraint entrance_retry_key primary key (organization_id, place_id, retry_key)
  )`,
  `create index entrance_retry_by_age on entrance_retry using brin (used_at)`,

  // Which exit-token keys this database was used with; a fingerprint tells keys apart and gives nothing of them away.
  `create table token_key (
    id smallint primary key,
    fingerprint text not null
  )`
]

export const initial = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
})
