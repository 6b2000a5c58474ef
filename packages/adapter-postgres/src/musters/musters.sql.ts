/**
 * The statements of musters. Changes of an organization's musters are serialized by the lock on its row. A sweep of stays has no such
 * lock: it holds the open muster instead, whose end updates it first.
 */

import { publishedCounted } from "../devices/counts.sql.ts"
import { hasPublishingInterval } from "../feed/interval.sql.ts"

/** The people inside of the organization $1, in its places $2 to $3: 0 is the organization as a whole. */
export const INSIDE = `
select person, place_id, entered_at from open_stay
where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint and person is not null
order by person collate "C", place_id`

export const MUSTER = "select * from muster where id = $1::bigint"

export const MUSTERS = "select * from muster where organization_id = $1::bigint order by started_at desc, id desc"

export const OPEN_MUSTER = "select id from muster where organization_id = $1::bigint and ended_at is null"

/**
 * The counts of premises of the organization $1, those `which` is a condition for: how many people are inside, came in, and left by exits
 * and the counts of devices. They are as published, and without a publishing interval with the pending changes.
 */
const counts = (which: string) => `
  select place_id, sum(entered - departed)::bigint as inside, sum(entered)::bigint as entered,
    sum(exits + counted_out)::bigint as exits
  from (
    select place_id, entered, departed, exits, counted_out from presence_totals
    where organization_id = $1::bigint and ${which}
    union all
    select place_id, entered, departed, exits, counted_out from pending_change
    where organization_id = $1::bigint and ${which} and not ${hasPublishingInterval("$1::bigint")}
  ) recorded
  group by place_id`

/** The counts of all premises of the organization $1, and the place that each is a part of. */
export const COUNTS = `
select c.*, p.ancestors[cardinality(p.ancestors)] as parent_id
from (${counts("true")}) c
left join (select id, ancestors from place where organization_id = $1::bigint) p on p.id = c.place_id
order by c.place_id`

/** The last id of a stay that was issued, to be read while movements are stopped. */
export const LAST_STAY = "select case when is_called then last_value else last_value - 1 end as last_stay from stay_id"

/** The last id before the open muster ($1, $2). */
const LAST_OF_MUSTER = "(select last_stay from muster where organization_id = $1::bigint and id = $2::bigint)"

/** Whether a closed stay was not imported: those are about the past, though their ids are later. It is looked up, whatever the planner expects. */
const IS_RECORDED = `(
    select true from imported_stay
    where organization_id = $1::bigint and place_id = premises.place_id and stay_id = id
    limit 1
  ) is null`

/** The closed stays of people of the organization $1 with ids above `last`, in its premises; but for those that were imported. */
const closedAfter = (last: string) => `
select s.person, s.place_id, s.id, s.entered_at, s.exited_at
from (select 0::bigint as place_id union all select id from place where organization_id = $1::bigint) premises
cross join lateral (
  select person, place_id, id, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = premises.place_id and id > ${last} and person is not null
    and ${IS_RECORDED}
) s`

/**
 * Starts a muster and writes what it begins with, as of one moment after $7, the last stay, was read: stays that were opened and closed
 * since are none of it. $2 the mode, $3 the kind, $4 the note, $5 now, $6 the administrator; $8 the premises that it goes by, $9 who is
 * inside of them, $10 who entered and $11 who left before.
 */
export const START = `
with started as (
  insert into muster (
    organization_id, mode, kind, note, started_at, started_by, last_stay, premises, inside, entered, exits, gone_stays
  )
  values ($1::bigint, $2::text, $3::text, $4::text, $5::timestamptz, $6::text, $7::bigint, $8::bigint[], $9::bigint,
    $10::bigint, $11::bigint,
    array(select id from (${closedAfter("$7::bigint")}) gone))
  returning *
),
beginning as (
  insert into muster_beginning (organization_id, muster_id, people, place_ids, stay_ids, entrances)
  select $1::bigint, m.id, array_agg(s.person), array_agg(s.place_id), array_agg(s.id), array_agg(s.entered_at)
  from started m
  cross join (select * from open_stay where organization_id = $1::bigint and person is not null) s
  where m.mode = 'authenticated'
  group by m.id
)
select * from started`

/** The people of the muster ($1, $2), which has ended. */
export const FROZEN_PEOPLE = `
select p.person, p.place_ids, p.since, null::timestamptz as marked_at, p.state, p.at
from muster_result r
cross join lateral unnest(r.people, r.place_ids, r.since, r.states, r.ats) as p (person, place_ids, since, state, at)
where r.organization_id = $1::bigint and r.muster_id = $2::bigint`

/** The stays that open musters `b` began with. */
const FIRST_STAYS = "unnest(b.people, b.place_ids, b.stay_ids, b.entrances) as s (person, place_id, id, entered_at)"

/** Where a person was inside by some stays, and since when. */
const WHERE_INSIDE = `
coalesce(array_agg(place_id order by place_id) filter (where place_id <> 0), '{}') as place_ids, min(entered_at) as since`

/** The entries of open musters by `key`, which are those of the stays `firstStays` that the muster began with until another one is `kept`. */
const entries = (key: string, firstStays: string, kept: string) => `
select ${key}, coalesce(m.place_ids, b.place_ids) as place_ids, coalesce(m.since, b.since) as since, m.marked_at, m.ended_at
from (${firstStays}) b
full join (${kept}) m using (${key})`

/** Whether the entry `e` of a person is of stays that ended later than the last of the stays `s` of the same person. */
const ENDED_SINCE = "e.ended_at >= coalesce(s.until, '-infinity')"

/**
 * `musterPeople` of the open muster ($1, $2), by one statement: a stay that ends without an exit is among the stays or
 * kept in an entry. Of each person count the stays that are open; else those with the last exit. `which` is a condition for the person,
 * and `ended` has those stays of `first_stays` that may have ended.
 */
const people = (which: string, ended: string) => `
with first_stays as materialized (
  select person collate "C" as person, place_id, id, entered_at
  from muster_beginning b cross join lateral ${FIRST_STAYS}
  where b.organization_id = $1::bigint and b.muster_id = $2::bigint${which}
)
select person, case when ${ENDED_SINCE} then e.place_ids else coalesce(s.place_ids, e.place_ids) end::text as place_ids,
  case when ${ENDED_SINCE} then e.since else coalesce(s.since, e.since) end as since, e.marked_at,
  case
    when s.until < 'infinity' or s.until is null and e.since is not null then 'left'
    when e.marked_at is null then 'missing'
    else 'safe'
  end as state,
  case
    when ${ENDED_SINCE} then null
    when s.until < 'infinity' then s.until
    when s.until is not null or e.since is null then e.marked_at
  end as at
from (
  select distinct on (person) *
  from (
    select person, coalesce(exited_at, 'infinity') as until, min(entered_at) as since,
      coalesce(array_agg(distinct place_id) filter (where place_id <> 0), '{}') as place_ids
    from (
      select person collate "C" as person, place_id, entered_at, null::timestamptz as exited_at from open_stay
      where organization_id = $1::bigint and person is not null${which}
      union all
      select s.person collate "C", s.place_id, s.entered_at, s.exited_at
      from (${ended}) b
      cross join lateral (
        select person, place_id, entered_at, exited_at from stay
        where organization_id = $1::bigint and place_id = b.place_id and id = b.id
        limit 1
      ) s
      union all
      select person collate "C", place_id, entered_at, exited_at from (${closedAfter(LAST_OF_MUSTER)}) s
      where id not in (select unnest(gone_stays) from muster where organization_id = $1::bigint and id = $2::bigint)${which}
    ) stays
    group by person, coalesce(exited_at, 'infinity')
  ) ends
  order by person, until desc
) s
full join (${entries(
  "person",
  `select person, ${WHERE_INSIDE} from first_stays group by person`,
  `select person collate "C" as person, place_ids, since, marked_at, ended_at from muster_person
  where organization_id = $1::bigint and muster_id = $2::bigint${which}`
)}) e using (person)`

/** The {@link people}. A full join finds the stays that are no longer open without a search for each. */
export const PEOPLE = `${people(
  "",
  `
  select b.place_id, b.id
  from first_stays b
  full join (select place_id, id from open_stay where organization_id = $1::bigint) o on o.place_id = b.place_id and o.id = b.id
  where o.id is null`
)}
order by person`

/** Those {@link people} whose ids are $3, which a plan without hash joins looks up in a hashed subplan alone. */
export const SOME_PEOPLE = people(
  " and (person in (select unnest($3::text[]))) is true",
  "select place_id, id from first_stays"
)

/** `musterCrowd` of the open muster ($1, $2). An aggregate, because no join is quick whatever the planner expects. */
export const CROWD = `
select count(*) filter (where was_inside) as inside, count(*) filter (where not was_inside) as added
from (
  select person, bool_or(was_inside) as was_inside
  from (
    select unnest(people) as person, true as was_inside from muster_beginning
    where organization_id = $1::bigint and muster_id = $2::bigint
    union all
    select person, true from open_stay where organization_id = $1::bigint and person is not null
    union all
    select person, true from (${closedAfter(LAST_OF_MUSTER)}) s
    where id not in (select unnest(gone_stays) from muster where organization_id = $1::bigint and id = $2::bigint)
    union all
    select person, since is not null from muster_person where organization_id = $1::bigint and muster_id = $2::bigint
  ) known
  group by person
) people`

const NUMBERS = `
count(*) as inside, count(*) filter (where state = 'safe') as safe, count(*) filter (where state = 'left') as departed,
  count(*) filter (where state = 'missing') as missing`

/** How many the {@link PEOPLE} are, and how many of them are in each state. */
export const COUNT_PEOPLE = `select ${NUMBERS} from (${PEOPLE}) people`

/** How many people came into the premises $2 of the organization $1 and left them, since there were $3 and $4. */
export const CHANGES = `
select coalesce(sum(entered), 0)::bigint - $3::bigint as entered, coalesce(sum(exits), 0)::bigint - $4::bigint as exits
from (${counts("place_id = any($2::bigint[])")}) c`

const COUNTED = publishedCounted("0", hasPublishingInterval("$1::bigint"))

/** How many people devices count inside of the organization $1 itself. */
export const READ_COUNTED = `select ${COUNTED} as counted`

/** Writes entries of the open muster ($1, $2): $3 people, $4 places as text, $5 since when, $6 when they were marked. */
export const MARK = `
insert into muster_person (organization_id, muster_id, person, place_ids, since, marked_at)
select $1::bigint, $2::bigint, person, place_ids::bigint[], since, marked_at
from unnest($3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[]) as marked (person, place_ids, since, marked_at)
on conflict (organization_id, muster_id, person) do update set
  place_ids = excluded.place_ids, since = excluded.since, marked_at = excluded.marked_at`

/** Removes the entries of the people $3 from the muster ($1, $2). */
export const UNMARK = `
delete from muster_person where organization_id = $1::bigint and muster_id = $2::bigint and person = any($3::text[])`

/** The places of the organization $1 that are among $2. */
export const KNOWN_PLACES = "select id from place where organization_id = $1::bigint and id = any($2::bigint[])"

/** Writes the searched places of the muster ($1, $2): $3 the places, $4 when, $5 by whom. */
export const SWEEP = `
update muster set swept_places = $3::bigint[], swept_ats = $4::timestamptz[], swept_by = $5::text[]
where organization_id = $1::bigint and id = $2::bigint`

export const COUNT = "update muster set safe = $3::bigint where organization_id = $1::bigint and id = $2::bigint"

/** Ends a muster: a sweep that holds it is waited for, and one that comes later keeps nothing in it. */
export const END = "update muster set ended_at = $3::timestamptz where organization_id = $1::bigint and id = $2::bigint"

export const FREEZE_NUMBERS = `
update muster set inside = $3::bigint, safe = $4::bigint, departed = $5::bigint, missing = $6::bigint,
  counted = ${COUNTED}
where organization_id = $1::bigint and id = $2::bigint`

/** Freezes the {@link PEOPLE} in place of what the muster kept while it was open, and answers how many they are. */
export const FREEZE_PEOPLE = `
with frozen as materialized (${PEOPLE}),
result as (
  insert into muster_result (organization_id, muster_id, people, place_ids, since, states, ats)
  select $1::bigint, $2::bigint, array_agg(person), array_agg(place_ids), array_agg(since), array_agg(state), array_agg(at)
  from frozen
  having count(*) > 0
),
entries as (delete from muster_person where organization_id = $1::bigint and muster_id = $2::bigint),
beginning as (delete from muster_beginning where organization_id = $1::bigint and muster_id = $2::bigint)
select ${NUMBERS} from frozen`

/**
 * `keepEnded`: keeps people, in the open muster `m` of their organization $1, whose stays are about to end without an exit or to be deleted:
 * the rows of `stays`, which have `place_id`, `person` and `entered_at`. `endedAt` is when.
 */
export const keepEnding = (stays: string, endedAt: string) => `
insert into muster_person as kept (organization_id, muster_id, person, place_ids, since, ended_at)
select distinct on (person) $1::bigint, id, person, place_ids, since, ended_at
from (
  select m.id, s.person, ${endedAt} as ended_at, min(s.entered_at) as since,
    coalesce(array_agg(distinct s.place_id) filter (where s.place_id <> 0), '{}') as place_ids
  from (
    select id, last_stay, gone_stays from muster
    where organization_id = $1::bigint and ended_at is null and mode = 'authenticated'
    for share
  ) m
  cross join ${stays} s
  where s.person is not null
  group by m.id, s.person, ${endedAt}
) ended
order by person, ended_at desc
on conflict (organization_id, muster_id, person) do update set
  place_ids = case
    when kept.ended_at = excluded.ended_at
      then array(select distinct place_id from unnest(kept.place_ids || excluded.place_ids) as place_id order by place_id)
    else excluded.place_ids
  end,
  since = case when kept.ended_at = excluded.ended_at then least(kept.since, excluded.since) else excluded.since end,
  ended_at = excluded.ended_at
where kept.ended_at is null or kept.ended_at <= excluded.ended_at`

/** Keeps the people who came into the places $2 since the open muster began, and left them. */
export const KEEP_LEFT = keepEnding(
  `unnest($2::bigint[]) as premises (place_id)
cross join lateral (
  select person, place_id, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = premises.place_id and id > m.last_stay
    and id <> all (m.gone_stays)
    and ${IS_RECORDED}
)`,
  "s.exited_at"
)

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

/** What musters of the organization $1 keep of the person $2. */
export const ENTRIES_OF_PERSON = `
select muster_id, place_ids::text as place_ids, since, marked_at, null::text as state, null::timestamptz as at
from (${entries(
  "muster_id",
  `select b.muster_id, ${WHERE_INSIDE} from muster_beginning b
  cross join lateral (
    select s.place_id, s.entered_at from ${FIRST_STAYS} where s.person = $2::text
  ) s
  where b.organization_id = $1::bigint
  group by b.muster_id`,
  "select muster_id, place_ids, since, marked_at, ended_at from muster_person where organization_id = $1::bigint and person = $2::text"
)}) open
union all
select r.muster_id, p.place_ids, p.since, null, p.state, p.at
from muster_result r
cross join lateral unnest(r.people, r.place_ids, r.since, r.states, r.ats) as p (person, place_ids, since, state, at)
where r.organization_id = $1::bigint and p.person = $2::text
order by muster_id`

/** Removes what musters of the organization $1 keep of the person $2. Answers each of these musters, and whether it is open. */
export const ERASE_ENTRIES = `
with entries as (
  delete from muster_person where organization_id = $1::bigint and person = $2::text returning muster_id
),
beginnings as (
  update muster_beginning b set (people, place_ids, stay_ids, entrances) = (
    select coalesce(array_agg(s.person), '{}'), coalesce(array_agg(s.place_id), '{}'), coalesce(array_agg(s.id), '{}'),
      coalesce(array_agg(s.entered_at), '{}')
    from ${FIRST_STAYS} where s.person <> $2::text
  )
  where organization_id = $1::bigint and $2::text = any (people)
  returning muster_id
),
results as (
  update muster_result r set (people, place_ids, since, states, ats) = (
    select coalesce(array_agg(p.person), '{}'), coalesce(array_agg(p.place_ids), '{}'), coalesce(array_agg(p.since), '{}'),
      coalesce(array_agg(p.state), '{}'), coalesce(array_agg(p.at), '{}')
    from unnest(r.people, r.place_ids, r.since, r.states, r.ats) as p (person, place_ids, since, state, at)
    where p.person <> $2::text
  )
  where organization_id = $1::bigint and $2::text = any (people)
  returning muster_id
)
select muster_id, true as is_open from (select muster_id from entries union select muster_id from beginnings) open
union all
select muster_id, false from results`

export const STARTED_MUSTERS = "select * from muster where started_by = $1::text order by id"

/** The places that the administrator $1 searched in musters. */
export const SWEPT_PLACES = `
select organization_id, id, s.place_id, s.at
from muster
cross join lateral unnest(swept_places, swept_ats, swept_by) as s (place_id, at, by)
where swept_by @> array[$1::text] and s.by = $1::text
order by id, s.place_id`

/** Puts $2 in the place of the administrator $1, without the words of a muster's starter. */
export const CLEAR_MENTIONS = `
update muster set started_by = case when started_by = $1::text then $2::text else started_by end,
  note = case when started_by <> $1::text then note end, swept_by = array_replace(swept_by, $1::text, $2::text)
where started_by = $1::text or swept_by @> array[$1::text]
returning id`
