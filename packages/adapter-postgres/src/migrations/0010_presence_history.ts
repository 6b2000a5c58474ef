import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The buckets of presence by minute, hour and day, and up to which version each feed is in them. */
export const presenceHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table presence_history (
    organization_id bigint primary key references presence_feed (organization_id) on delete cascade,
    version bigint not null default 0,
    minutes_from timestamptz
  )`
  // `step` is its length in seconds.
  yield* sql`create table presence_bucket (
    organization_id bigint not null,
    place_id bigint not null,
    step int not null check (step in (60, 3600, 86400)),
    began_at timestamptz not null,
    changed_at timestamptz not null,
    entered bigint not null,
    departed bigint not null,
    exits bigint not null,
    stayed bigint not null,
    inside_before bigint not null,
    least bigint not null,
    most bigint not null,
    inside_time bigint not null,
    primary key (organization_id, place_id, step, began_at),
    foreign key (organization_id, place_id) references presence_head (organization_id, place_id) on delete cascade
  )`
})
