/**
 * The statements of musters. Changes of an organization's musters are serialized by the lock on its row. A sweep of stays has no such
 * lock: it holds the open muster instead, whose end updates it first.
 */

/** The people inside of the organization $1, in its places $2 to $3: 0 is the organization as a whole. */
export const INSIDE = `
select person, place_id, entered_at from open_stay
where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint and person is not null
order by person collate "C", place_id`

export const ORGANIZATION_OF = "select organization_id from muster where id = $1::bigint"

export const MUSTER = "select * from muster where organization_id = $1::bigint and id = $2::bigint"

export const MUSTERS = "select * from muster where organization_id = $1::bigint order by id desc"

export const OPEN_MUSTER = "select id from muster where organization_id = $1::bigint and ended_at is null"

/** Exits from the organization $1 itself that were ever recorded: those that were told, and those that are not yet. */
const ALL_EXITS = `(
  select coalesce(sum(exits), 0)::bigint
  from (
    select exits from presence_head where organization_id = $1::bigint and place_id = 0
    union all
    select exits from presence_delta where organization_id = $1::bigint and place_id = 0
  ) recorded
)`

/** What a muster of the organization $1 begins with, while movements are stopped. As text, many stays are transferred without being parsed. */
export const BEGINNING = `
select (select case when is_called then last_value else last_value - 1 end from stay_id) as last_stay,
  ${ALL_EXITS} as exits,
  count(*) filter (where place_id = 0) as inside,
  (array_agg(person) filter (where person is not null))::text as people,
  (array_agg(place_id) filter (where person is not null))::text as places,
  (array_agg(id) filter (where person is not null))::text as ids,
  (array_agg(entered_at) filter (where person is not null))::text as entrances
from open_stay
where organization_id = $1::bigint`

/** $2 the mode, $3 the kind, $4 the note, $5 now, $6 the administrator, $7 to $9 the beginning. */
export const START = `
insert into muster (organization_id, mode, kind, note, started_at, started_by, last_stay, exits, inside)
values ($1::bigint, $2::text, $3::text, $4::text, $5::timestamptz, $6::text, $7::bigint, $8::bigint, $9::bigint)
returning *`

/** An entry of each person of the stays that a muster ($1, $2) begins with: $3 people, $4 places, $5 ids, $6 entrances. */
export const FIRST_ENTRIES = `
insert into muster_person (organization_id, muster_id, person, place_ids, since, stay_places, stay_ids)
select $1::bigint, $2::bigint, person, coalesce(array_agg(place_id order by place_id) filter (where place_id <> 0), '{}'),
  min(entered_at), array_agg(place_id order by place_id), array_agg(id order by place_id)
from unnest($3::text::text[], $4::text::bigint[], $5::text::bigint[], $6::text::timestamptz[])
  as inside (person, place_id, id, entered_at)
group by person`

/** The people of the muster ($1, $2), which has ended. */
export const FROZEN_PEOPLE = `
select person, place_ids::text as place_ids, since, marked_at, state, at from muster_person
where organization_id = $1::bigint and muster_id = $2::bigint`

/** The stays of a muster ($1, $2) that are open, were when it began, or have ids above $3. */
const STAYS = `
select person, place_id, entered_at, null::timestamptz as exited_at from open_stay
where organization_id = $1::bigint and person is not null
union all
select s.person, s.place_id, s.entered_at, s.exited_at
from muster_person p
cross join lateral unnest(p.stay_places, p.stay_ids) as inside (place_id, id)
cross join lateral (
  select person, place_id, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = inside.place_id and id = inside.id
  limit 1
) s
where p.organization_id = $1::bigint and p.muster_id = $2::bigint
union all
select s.person, s.place_id, s.entered_at, s.exited_at
from (select 0::bigint as place_id union all select id from place where organization_id = $1::bigint) premises
cross join lateral (
  select person, place_id, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = premises.place_id and id > $3::bigint and person is not null
) s`

/**
 * `musterPeople` of the open muster ($1, $2), $3 its last stay, by one statement: a stay that ends without an exit is among the stays or
 * kept in an entry. Of each person count the stays that are open; else those with the last exit.
 */
export const PEOPLE = `
select person, coalesce(s.place_ids, e.place_ids)::text as place_ids, coalesce(s.since, e.since) as since, e.marked_at,
  case
    when s.until < 'infinity' or s.until is null and e.since is not null then 'left'
    when e.marked_at is null then 'missing'
    else 'safe'
  end as state,
  case when s.until < 'infinity' then s.until when s.until is not null or e.since is null then e.marked_at end as at
from (
  select distinct on (person) *
  from (
    select person, coalesce(exited_at, 'infinity') as until, min(entered_at) as since,
      coalesce(array_agg(distinct place_id) filter (where place_id <> 0), '{}') as place_ids
    from (${STAYS}) stays
    group by person, coalesce(exited_at, 'infinity')
  ) ends
  order by person, until desc
) s
full join (
  select person, place_ids, since, marked_at from muster_person
  where organization_id = $1::bigint and muster_id = $2::bigint
) e using (person)`

/** Those of the {@link PEOPLE} whose ids are $4, which a plan without hash joins looks up in a hashed subplan alone. */
export const SOME_PEOPLE = `select * from (${PEOPLE}) people where (person in (select unnest($4::text[]))) is true`

const NUMBERS = `
count(*) as inside, count(*) filter (where state = 'safe') as safe, count(*) filter (where state = 'left') as departed,
  count(*) filter (where state = 'missing') as missing`

/** How many the {@link PEOPLE} are, and how many of them are in each state. */
export const COUNT_PEOPLE = `select ${NUMBERS} from (${PEOPLE}) people`

/** The exits from the organization $1 itself that were recorded since there were $2. */
export const EXITS = `select ${ALL_EXITS} - $2::bigint as exits`

/** Writes entries of the open muster ($1, $2): $3 people, $4 places as text, $5 since when, $6 when they were marked. */
export const MARK = `
insert into muster_person (organization_id, muster_id, person, place_ids, since, marked_at)
select $1::bigint, $2::bigint, person, place_ids::bigint[], since, marked_at
from unnest($3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[]) as marked (person, place_ids, since, marked_at)
on conflict (organization_id, muster_id, person) do update set
  place_ids = excluded.place_ids, since = excluded.since, marked_at = excluded.marked_at`

export const COUNT = "update muster set safe = $3::bigint where organization_id = $1::bigint and id = $2::bigint"

/** Ends a muster: a sweep that holds it is waited for, and one that comes later keeps nothing in it. */
export const END = "update muster set ended_at = $3::timestamptz where organization_id = $1::bigint and id = $2::bigint"

export const FREEZE_NUMBERS = `
update muster set inside = $3::bigint, safe = $4::bigint, departed = $5::bigint, missing = $6::bigint
where organization_id = $1::bigint and id = $2::bigint`

/** Freezes the {@link PEOPLE}, and answers how many they are. */
export const FREEZE_PEOPLE = `
with frozen as (
  insert into muster_person (organization_id, muster_id, person, place_ids, since, state, at)
  select $1::bigint, $2::bigint, person, place_ids::bigint[], since, state, at from (${PEOPLE}) people
  on conflict (organization_id, muster_id, person) do update set
    place_ids = excluded.place_ids, since = excluded.since, marked_at = null, stay_places = '{}', stay_ids = '{}',
    state = excluded.state, at = excluded.at
  returning state
)
select ${NUMBERS} from frozen`

/**
 * Keeps people, in the open muster `m` of their organization $1, whose stays are about to end without an exit or to be deleted: the rows
 * of `stays`, which have `place_id`, `person` and `entered_at`.
 */
export const keepEnding = (stays: string) => `
insert into muster_person (organization_id, muster_id, person, place_ids, since)
select distinct on (s.person) $1::bigint, m.id, s.person,
  case when s.place_id = 0 then '{}'::bigint[] else array[s.place_id] end, s.entered_at
from (
  select id, last_stay from muster
  where organization_id = $1::bigint and ended_at is null and mode = 'authenticated'
  for share
) m
cross join ${stays} s
where s.person is not null
order by s.person, s.place_id, s.entered_at
on conflict (organization_id, muster_id, person) do update set place_ids = excluded.place_ids, since = excluded.since
where muster_person.since is null`

/** Keeps the people who came into the places $2 since the open muster began, and left them. */
export const KEEP_LEFT = keepEnding(`unnest($2::bigint[]) as premises (place_id)
cross join lateral (
  select person, place_id, entered_at from stay
  where organization_id = $1::bigint and place_id = premises.place_id and id > m.last_stay
)`)

/** Removes at most $2 musters that ended before $1. */
export const FORGET = `
delete from muster m
using (
  select organization_id, id from muster
  where ended_at < $1::timestamptz
  order by ended_at
  limit $2::bigint
  for update skip locked
) old
where m.organization_id = old.organization_id and m.id = old.id
returning m.id`

export const ENTRIES_OF_PERSON = `
select muster_id, place_ids::text as place_ids, since, marked_at, state, at from muster_person
where organization_id = $1::bigint and person = $2::text
order by muster_id`

/** Answers each entry, and whether its muster is open. */
export const ERASE_ENTRIES = `
delete from muster_person where organization_id = $1::bigint and person = $2::text
returning muster_id, state is null as is_open`

export const STARTED_MUSTERS = "select * from muster where started_by = $1::text order by id"

export const CLEAR_STARTER =
  "update muster set started_by = $2::text, note = null where started_by = $1::text returning id"
