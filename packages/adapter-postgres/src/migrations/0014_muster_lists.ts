import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The lists of a muster, each in arrays of one length: a row for each of 100,000 people takes seconds to write. `muster_beginning` has the
 * stays that were open when an open muster began, `muster_result` the people of one that has ended. What is left in `muster_person` is
 * what came after the begin: who was marked, and whose stay ended without an exit.
 *
 * `gone_stays` are stays with ids above `last_stay` that were closed before the muster began. No release had musters.
 */
export const musterLists = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ofMuster = sql.literal(`organization_id bigint not null,
    muster_id bigint not null,
    primary key (organization_id, muster_id),
    foreign key (organization_id, muster_id) references muster (organization_id, id) on delete cascade`)
  yield* sql`alter table muster add column gone_stays bigint[] not null default '{}'`
  yield* sql`create table muster_beginning (
    ${ofMuster},
    people text[] not null,
    place_ids bigint[] not null,
    stay_ids bigint[] not null,
    entrances timestamptz[] not null
  )`
  yield* sql`create table muster_result (
    ${ofMuster},
    people text[] not null,
    place_ids text[] not null,
    since timestamptz[] not null,
    states text[] not null,
    ats timestamptz[] not null
  )`
  // PostgreSQL keeps no samples of what names people.
  yield* sql`alter table muster_beginning alter column people set statistics 0`
  yield* sql`alter table muster_result alter column people set statistics 0`
  yield* sql`
    insert into muster_beginning
    select p.organization_id, p.muster_id, array_agg(p.person), array_agg(s.place_id), array_agg(s.id), array_agg(p.since)
    from muster_person p cross join lateral unnest(p.stay_places, p.stay_ids) as s (place_id, id)
    where p.state is null
    group by p.organization_id, p.muster_id`
  yield* sql`
    insert into muster_result
    select organization_id, muster_id, array_agg(person), array_agg(place_ids::text), array_agg(since), array_agg(state), array_agg(at)
    from muster_person
    where state is not null
    group by organization_id, muster_id`
  yield* sql`delete from muster_person where state is not null or marked_at is null and stay_ids <> '{}'`
  yield* sql`alter table muster_person drop column stay_places, drop column stay_ids, drop column state, drop column at`
})
