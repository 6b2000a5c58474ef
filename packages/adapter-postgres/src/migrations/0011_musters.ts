import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The musters of each organization, and what each keeps of people. `stay_places` and `stay_ids` are the stays of a person that were
 * open when the muster began, in two arrays of one length; `state` is there once the muster has ended.
 *
 * `last_stay` is the last id of a stay that was issued before the muster, `version` and `exits` the last event of the feed and the
 * exits that were recorded and not yet told: together they tell what came after.
 */
export const musters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create sequence muster_id maxvalue 9007199254740991`
  yield* sql`create table muster (
    organization_id bigint not null references organization (id) on delete cascade,
    id bigint not null default nextval('muster_id'),
    mode text not null check (mode in ('anonymous', 'authenticated')),
    kind text not null check (kind in ('drill', 'evacuation')),
    note text,
    started_at timestamptz not null,
    started_by text not null,
    ended_at timestamptz,
    last_stay bigint not null,
    version bigint not null,
    exits bigint not null,
    inside bigint not null,
    safe bigint not null default 0,
    departed bigint not null default 0,
    missing bigint not null default 0,
    primary key (organization_id, id)
  )`
  yield* sql`create unique index muster_open on muster (organization_id) where ended_at is null`
  yield* sql`create index muster_by_id on muster (id)`
  yield* sql`create index muster_by_end on muster (ended_at)`
  yield* sql`create index muster_by_starter on muster (started_by)`
  yield* sql`create table muster_person (
    organization_id bigint not null,
    muster_id bigint not null,
    person text not null,
    place_ids bigint[] not null,
    since timestamptz,
    marked_at timestamptz,
    stay_places bigint[] not null default '{}',
    stay_ids bigint[] not null default '{}',
    state text check (state in ('missing', 'safe', 'left')),
    at timestamptz,
    primary key (organization_id, muster_id, person),
    foreign key (organization_id, muster_id) references muster (organization_id, id) on delete cascade
  )`
  yield* sql`create index muster_person_by_person on muster_person (organization_id, person)`
  // PostgreSQL keeps no samples of what names people.
  yield* sql`alter table muster alter column started_by set statistics 0, alter column note set statistics 0`
  yield* sql`alter table muster_person alter column person set statistics 0`
})
