import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Records the deltas of a statement, unless it names the table `presence_delta`: then it does so itself. This is not a condition of the
 * triggers, which each statement would parse anew. Also counts the exits: the stays that the same statement closed.
 */
const RECORD = `
create function record_presence_delta() returns trigger language plpgsql as $$
begin
  if strpos(current_query(), 'presence_delta') > 0 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into presence_delta (organization_id, place_id, entered, at)
    select organization_id, place_id, count(*), max(recorded_at) from changed group by organization_id, place_id;
  else
    insert into presence_delta (organization_id, place_id, departed, exits, stayed, at)
    select c.organization_id, c.place_id, count(*), count(s.exited_at),
      coalesce(extract(epoch from sum(s.exited_at - s.entered_at)) * 1000, 0), date_trunc('milliseconds', clock_timestamp())
    from changed c
    left join lateral (
      select entered_at, exited_at from stay
      where organization_id = c.organization_id and place_id = c.place_id and id = c.id
      limit 1
    ) s on true
    group by c.organization_id, c.place_id;
  end if;
  return null;
end $$`

const recordOthers = (event: "insert" | "delete", rows: "new" | "old") => `
create trigger record_presence_delta_of_${event} after ${event} on open_stay
referencing ${rows} table as changed
for each statement
execute function record_presence_delta()`

/**
 * The presence feed of each organization, the sums of what it told of each premises, and the deltas that it has not told yet.
 *
 * Only `presence_feed` refers to the organization. The check of a reference locks the row that it leads to: recording and telling
 * would wait for the deletion of an organization, which may take many minutes. Deltas and events of a deleted organization that a
 * server of the version before leaves behind are removed by `tell` and `forget`.
 *
 * Servers of the version before write open stays without deltas. Triggers record them, and skip the statements that do it
 * themselves. A new database has no triggers, as no such server ever used it: they would take a lone movement 6 % longer.
 */
export const presenceFeed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Sessions of the stores plan without hash joins, and premises are joined with premises below.
  yield* sql`set local enable_hashjoin = on`
  // Sweeps lock the tables in this order, changes of organizations `open_stay` before `organization`: no deadlocks.
  yield* sql`alter table stay_policy add column event_grain bigint, add column smallest_count bigint`
  // Small or empty: whether any organization has a publishing interval is asked by each reading of a counter with pending changes.
  yield* sql`create index stay_policy_with_interval on stay_policy (organization_id) where event_grain >= 2`
  yield* sql`lock table open_stay in share row exclusive mode`
  yield* sql`create table presence_feed (
    organization_id bigint primary key references organization (id) on delete cascade,
    version bigint not null default 0,
    at timestamptz not null
  ) with (fillfactor = 50)`
  yield* sql`create table presence_head (
    organization_id bigint not null references presence_feed (organization_id) on delete cascade,
    place_id bigint not null,
    entered bigint not null default 0,
    departed bigint not null default 0,
    capacity bigint,
    warn_at double precision,
    warn_from bigint,
    level text not null default 'none' check (level in ('none', 'normal', 'warning', 'full', 'over')),
    told_at timestamptz,
    began_at timestamptz not null,
    primary key (organization_id, place_id)
  ) with (fillfactor = 50)`
  yield* sql`create table presence_event (
    organization_id bigint not null,
    version bigint not null,
    at timestamptz not null,
    type text not null,
    place_id bigint not null default 0,
    entered bigint,
    departed bigint,
    inside bigint,
    exits bigint,
    stayed bigint,
    level text,
    capacity bigint,
    changed text,
    muster_id bigint,
    state text,
    primary key (organization_id, version)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.02)`
  // A queue: its rows live for milliseconds. Truncating it would lock it exclusively.
  yield* sql`create table presence_delta (
    organization_id bigint not null,
    place_id bigint not null,
    at timestamptz not null,
    stayed bigint not null default 0,
    entered integer not null default 0,
    departed integer not null default 0,
    exits integer not null default 0
  ) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000000, vacuum_truncate = off
  )`
  yield* sql`create index presence_delta_by_premises on presence_delta (organization_id, place_id)`
  yield* sql`create table presence_epoch (epoch text not null)`
  yield* sql`insert into presence_epoch values (gen_random_uuid()::text)`

  yield* sql`insert into presence_feed (organization_id, at)
    select id, date_trunc('milliseconds', now()) from organization`
  yield* sql`insert into presence_head (organization_id, place_id, began_at)
    select organization_id, place_id, at
    from (
      select id as organization_id, 0::bigint as place_id from organization
      union all
      select organization_id, id from place
    ) premises
    join presence_feed using (organization_id)`
  yield* sql`
    with inside as materialized (
      select organization_id, place_id, count(*) as entered,
        row_number() over (partition by organization_id order by place_id) as version
      from open_stay
      group by organization_id, place_id
    ),
    heads as (
      update presence_head h set entered = i.entered, told_at = h.began_at
      from inside i
      where h.organization_id = i.organization_id and h.place_id = i.place_id
      returning h.*
    ),
    told as (
      insert into presence_event (organization_id, version, at, type, place_id, entered, departed, inside, exits, stayed)
      select organization_id, i.version, h.told_at, 'presence.changed', place_id, h.entered, 0, h.entered, 0, 0
      from heads h
      join inside i using (organization_id, place_id)
    )
    update presence_feed f set version = i.version
    from (select organization_id, max(version) as version from inside group by organization_id) i
    where f.organization_id = i.organization_id`

  // The migrator writes the rows of all migrations that it is going to run before the first one: `now()` is when its transaction began.
  const [first] = yield* sql<{ readonly is_new: boolean }>`
    select created_at = now() as is_new from sojourn_migration where migration_id = 1`
  if (first?.is_new !== true) {
    yield* sql.unsafe(RECORD)
    yield* sql.unsafe(recordOthers("insert", "new"))
    yield* sql.unsafe(recordOthers("delete", "old"))
  }
})
