/** The statements on closed stays of people in a window of time, for an administrator: $1 the organization, $2 the place, $3 who. */
import { OF_PREMISES } from "../database/premises.sql.ts"

/**
 * Whether a stay is of a person. The index of the entrances has this condition, from which the planner concludes nothing: so no other
 * statement can be planned with that index, and those here with no other, whatever the tables held when a session planned them.
 */
export const HAS_PERSON = "coalesce(person, '') <> ''"

/** Longer than most stays: a report reads all stays that began so long before its window, and of the others the long ones. */
const SHORT = "interval '24 hours'"

/** Whether a stay is long. */
export const IS_LONG = `exited_at - entered_at > ${SHORT}`

/** The class of the length of a long stay: those of class n are shorter than 2^(n + 1) days, and not shorter than 2^n. The last has no bound. */
const CLASSES = 13

const SECONDS_OF_DAY = 86_400

/** Bounds in seconds: 2 days, 4 days, ... */
const BOUNDS = Array.from({ length: CLASSES }, (_, n) => 2 ** (n + 1) * SECONDS_OF_DAY)

/** The class of a long stay's length, of which {@link longestOf} is longer. */
export const LENGTH_CLASS = `width_bucket(extract(epoch from exited_at - entered_at)::float8, array[${BOUNDS.join(", ")}]::float8[])`

/** Longer than any stay of a class. */
const longestOf = (lengthClass: string) =>
  `case when ${lengthClass} < ${CLASSES} then 2 ^ (${lengthClass} + 1) * interval '1 day' else interval '1000 years' end`

const reader = (columns: string, isReadable = "") => `
  select p.level${columns}, case when p.level is not null${isReadable} then o.id end as organization_id
  from organization o
  left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
  where ${OF_PREMISES}`

/** The part of a stay that is inside of the window from $4 to $5, in milliseconds. */
const TIME_INSIDE =
  "(extract(epoch from least(exited_at, $5::timestamptz) - greatest(entered_at, $4::timestamptz)) * 1000)::bigint"

const OF_READER = `organization_id = reader.organization_id and place_id = $2::bigint and ${HAS_PERSON}`

/**
 * The time of each person at the premises inside of the window from $4 to $5. The order of the stays is that of their index: with an empty
 * table the planner would take the primary key, which has no times, and a session keeps its plan.
 */
export const TIME_PER_PERSON_INSIDE = `
with reader as materialized (${reader("")}
)
select reader.level as permission, s.person, s.milliseconds
from reader
left join lateral (
  select person, sum(${TIME_INSIDE})::bigint as milliseconds
  from (
    (select person, entered_at, exited_at from stay
    where ${OF_READER} and entered_at >= $4::timestamptz - ${SHORT} and entered_at < $5::timestamptz
      and exited_at > $4::timestamptz
    order by entered_at, id)
    union all
    select long.* from generate_series(0, ${CLASSES}) as class (n)
    cross join lateral (
      select person, entered_at, exited_at from stay
      where ${OF_READER} and ${IS_LONG} and ${LENGTH_CLASS} = class.n
        and exited_at > $4::timestamptz and exited_at < $4::timestamptz + ${longestOf("class.n")}
        and entered_at < $4::timestamptz - ${SHORT}
      order by exited_at
    ) long
  ) stays
  group by person
  having sum(${TIME_INSIDE}) > 0
) s on true`

/** Milliseconds since the epoch. A time that is not of a whole one, of another program, counts as its millisecond. */
const millisecondsOf = (column: string) => `floor(extract(epoch from ${column}) * 1000)::bigint::float8`

/**
 * Closed stays of people with entrances before $7, after the entrance $5 and the stay $6, of the place $2, and of all places where $4 says
 * so. At most $8 of each place and person, and $9 in all, in no order. One row has them all, an array for each column: files have millions of
 * stays, and the client allocates several times as much for a row.
 */
const inWindow = (people: string, isPerson: string) => `
with reader as materialized (${reader(", o.tracking_mode", " and o.tracking_mode = 'authenticated'")}
)
select reader.level as permission, reader.tracking_mode, s.*
from reader
cross join lateral (
  select array_agg(place_id) as places, array_agg(id) as ids, array_agg(person) as people,
    array_agg(${millisecondsOf("entered_at")}) as entrances, array_agg(${millisecondsOf("exited_at")}) as exits
  from (
  select premises.place_id, f.*
  from (
    select $2::bigint as place_id
    union all
    select id from place where organization_id = reader.organization_id and $4::boolean
  ) premises${people}
  cross join lateral (
    select id, person, entered_at, exited_at from stay
    where organization_id = reader.organization_id and place_id = premises.place_id and ${isPerson}
      and entered_at >= $5::timestamptz and entered_at < $7::timestamptz and (entered_at, id) > ($5::timestamptz, $6::bigint)
      and (id > $6::bigint or entered_at >= $5::timestamptz + interval '1 millisecond')
    order by entered_at, id
    limit $8::bigint
  ) f
  limit $9::bigint
  ) found
) s`

/** {@link inWindow} of all people. */
export const CLOSED_IN_WINDOW = inWindow("", HAS_PERSON)

/** {@link inWindow} of the people $10. */
export const CLOSED_IN_WINDOW_BY_PEOPLE = inWindow(
  "\n  cross join (select distinct unnest($10::text[]) as person) wanted",
  "person = wanted.person"
)
