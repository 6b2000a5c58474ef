/**
 * The tables of every peer: open stays apart from closed ones, ids in the order of time, and of an exit token the hash of
 * its secret, so that a copy of the database holds no token. The open stays are vacuumed as often as Sojourn's.
 */
export const SCHEMA = [
  `create table organization (
    id bigint generated always as identity primary key,
    name text not null unique
  )`,
  `create table permission (
    organization_id bigint not null references organization (id),
    administrator_id text not null,
    level text not null check (level in ('viewer', 'manager', 'owner')),
    primary key (organization_id, administrator_id)
  )`,
  `create sequence stay_id`,
  `create table open_stay (
    organization_id bigint not null,
    id bigint not null default nextval('stay_id'),
    secret_hash bytea not null,
    entered_at timestamptz not null,
    primary key (organization_id, id)
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  `create table stay (
    organization_id bigint not null,
    id bigint not null,
    secret_hash bytea not null,
    entered_at timestamptz not null,
    exited_at timestamptz not null check (exited_at >= entered_at),
    primary key (organization_id, id)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.02)`
]

/**
 * Every statement has an index; a plan that is made while a table is empty must not read all of it later. Each is planned
 * once, also one of a batch, which would else be planned anew for every length of its arrays.
 */
export const SESSION = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan"
