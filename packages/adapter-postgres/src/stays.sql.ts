/**
 * The statements of the stay log. Each names `$1` the organization and `$2` the place (0: the organization as a whole),
 * which begin every key that it uses.
 */

/** What the rules of a movement are decided on; no row where the premises do not exist. `user` is a parameter. */
const factsFor = (user: string) => `
  select o.tracking_mode, l.org_auth_server_id as linked
  from organization o
  left join account_link l on l.organization_id = o.id and l.user_id = ${user}::text
  where o.id = $1::bigint
    and ($2::bigint = 0 or exists (
      select from place p where p.organization_id = $1::bigint and p.id = $2::bigint
    ))`

/** How some premises track, and whom their organization knows a user as: $3 the user. */
export const FACTS = factsFor("$3")

/**
 * An entrance. $3 the user, $4 the person they claim to be, $5 the token's key, $6 the entrance (null: none that may be
 * written), $7 now, $8 the retry key or null, $9 the instant at and before which a retry key is expired.
 *
 * A person who is inside already conflicts with their open stay, which is answered as it is: the update writes what is
 * there, because `do nothing` would answer nothing. Of two entrances with one new retry key the later breaks the key of
 * `entrance_retry`, and its whole statement is undone.
 */
export const OPEN = `
with facts as materialized (${factsFor("$3")}
),
repeated as (
  select stay_id as id, person, key_id, entered_at
  from entrance_retry
  where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $8::text and used_at > $9::timestamptz
),
opened as (
  insert into open_stay (organization_id, place_id, person, key_id, entered_at, recorded_at)
  select $1::bigint, $2::bigint, case tracking_mode when 'authenticated' then linked end,
    $5::smallint, $6::timestamptz, $7::timestamptz
  from facts
  where $6::timestamptz is not null
    and (tracking_mode = 'anonymous' or linked = coalesce($4::text, linked))
    and not exists (select from repeated)
  on conflict (organization_id, place_id, person) where person is not null do update set person = excluded.person
  returning id, person, key_id, entered_at
),
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, person, key_id, entered_at, used_at)
  select $1::bigint, $2::bigint, $8::text, id, person, key_id, entered_at, $7::timestamptz
  from opened
  where $8::text is not null
)
select facts.tracking_mode, facts.linked, stay.id, stay.person, stay.key_id, stay.entered_at
from facts
left join (select * from opened union all select * from repeated) stay on true`

/** Forgets a retry key whose day is over: $3 the key, $4 the instant at and before which it is expired. */
export const FORGET = `
delete from entrance_retry
where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $3::text and used_at <= $4::timestamptz`

/** Forgets every retry key that was used at or before $1. */
export const FORGET_ALL = "delete from entrance_retry where used_at <= $1::timestamptz"

/**
 * An exit that closes its stay, if the rule `settle` allows it: $3 the stay, $4 the user, $5 the person they claim to be,
 * $6 the exit (null: now, and never before the entrance), $7 now.
 */
export const CLOSE = `
with facts as materialized (${factsFor("$4")}
),
left_stay as (
  delete from open_stay s
  using facts
  where s.organization_id = $1::bigint and s.place_id = $2::bigint and s.id = $3::bigint
    and (s.person is null or facts.linked is null or facts.linked = s.person)
    and (facts.tracking_mode = 'anonymous' or $5::text is null
      or $5::text = coalesce(facts.linked, s.person, $5::text))
    and coalesce($6::timestamptz, s.entered_at) >= s.entered_at
  returning s.person, s.entered_at
),
kept as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select $1::bigint, $2::bigint, $3::bigint, person, entered_at,
    coalesce($6::timestamptz, greatest($7::timestamptz, entered_at))
  from left_stay
)
select facts.tracking_mode, facts.linked, left_stay.person, left_stay.entered_at
from facts
left join left_stay on true`

/** The facts and the stay, open or closed, as they are now: $3 the stay, $4 the user. */
export const LOOK = `
with facts as (${factsFor("$4")}
)
select facts.tracking_mode, facts.linked, s.person, s.entered_at, s.exited_at
from facts
left join (
  select person, entered_at, null::timestamptz as exited_at
  from open_stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
  union all
  select person, entered_at, exited_at
  from stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
) s on true`

export const COUNT_OPEN = `
select count(*) as inside from open_stay where organization_id = $1::bigint and place_id = $2::bigint`

/** Closed stays of nobody: $3 their ids. */
export const CLOSED_BY_IDS = `
select id, person, entered_at, exited_at
from stay
where organization_id = $1::bigint and place_id = $2::bigint and id = any($3::bigint[]) and person is null`

/** Closed stays of people: $3 who. */
export const CLOSED_BY_PEOPLE = `
select id, person, entered_at, exited_at
from stay
where organization_id = $1::bigint and place_id = $2::bigint and person = any($3::text[])`

export const TIME_PER_PERSON = `
select person, sum((extract(epoch from exited_at - entered_at) * 1000)::bigint)::bigint as milliseconds
from stay
where organization_id = $1::bigint and place_id = $2::bigint and person is not null
group by person`
