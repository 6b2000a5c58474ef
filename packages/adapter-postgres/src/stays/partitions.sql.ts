/**
 * The statements on the partitions of `stay`, each of which holds a range of ids. Names of partitions and bounds are from the catalog
 * and from numbers, so that they can be part of the texts. The statements compare ids: `StayPartitions.ts` decides the bounds.
 */

/** The partition that a schema begins with: the default one, until another is made. */
export const FIRST = "stay_first"

/** The default partition once there are others. It is empty, unless ids come from elsewhere. */
const REST = "stay_rest"

/** The partition whose ids begin with `from`. */
const nameOf = (from: bigint) => `stay_${from}`

/** The options of each partition: vacuuming by inserts keeps lists index-only. */
const OPTIONS = "with (autovacuum_vacuum_insert_scale_factor = 0.02)"

/** The partition that a new schema has. PostgreSQL samples no people, see `IDENTIFYING`. */
export const CREATE_FIRST = `create table ${FIRST} partition of stay default ${OPTIONS}`

// The types of statements with `from '...'` are widened: in declarations they look like imports.

/** The partitions by their ids, none where Citus has them; the last issued id, and whether accesses of any organization are ever forgotten. */
export const READ: string = `
select last_value as last, exists (select from stay_policy where retention is not null) as has_retention, (
  select coalesce(json_agg(json_build_object(
    'name', relname, 'rows', greatest(reltuples, 0), 'isDefault', bound = 'DEFAULT',
    'from', substring(bound from 'FROM \\(''?([0-9]+)'), 'to', substring(bound from 'TO \\(''?([0-9]+)')
  ) order by substring(bound from 'TO \\(''?([0-9]+)')::bigint), '[]')
  from (
    select c.relname, c.reltuples, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'stay'::regclass
  ) partition
) as partitions
from stay_id`

/** Whether there is a first partition, the id before which it ends, null without a bound, and the last issued id. */
export const FIRST_END: string = `
select oid is not null as has_first, last_value as last,
  substring(pg_get_expr(relpartbound, oid) from 'TO \\(''?([0-9]+)')::bigint as first_end
from stay_id left join pg_class on oid = to_regclass('${FIRST}') and relispartition`

const texts = new Map<string, string>()

/**
 * The same statement for stays that are all in the first partition. To find the partition of a row takes 10 us for each statement. Its text
 * is the same object each time, of which maps know the hash.
 */
export const intoFirst = (statement: string): string => {
  const known = texts.get(statement)
  if (known !== undefined) return known
  const text = statement.replaceAll("insert into stay (", `insert into ${FIRST} (`)
  texts.set(statement, text)
  return text
}

/** Whether one of the servers may change the partitions: it does until the transaction ends. $1 the seed of the lock's key. */
export const TRY_LOCK = `
select pg_try_advisory_xact_lock(hashtextextended(current_schema(), $1::bigint)) as is_locked`

/** The ids of a partition, from `from`, before `to`. */
export interface IdBounds {
  readonly from: bigint
  readonly to: bigint
}

/** Refuses the ids of the next partition in the default one, which then need not be read while others wait for it. */
export const refuseAhead = (partition: string, { from, to }: IdBounds) => `
alter table ${partition} drop constraint if exists stay_ahead,
  add constraint stay_ahead check (${partition === FIRST ? `id < ${from}` : `id < ${from} or id >= ${to}`}) not valid`

/** Reads the default partition, while movements go on. */
export const validateAhead = (partition: string) => `alter table ${partition} validate constraint stay_ahead`

/** Whether the default partition $1 was read since it refuses the ids of the next one. */
export const IS_VALID = `
select from pg_constraint where conrelid = $1::text::regclass and conname = 'stay_ahead' and convalidated`

const create = (name: string): ReadonlyArray<string> => [
  `create table ${name} (like stay including all) ${OPTIONS}`,
  `alter table ${name} alter column person set statistics 0`
]

const attach = (name: string, bound: string) => `alter table stay attach partition ${name} ${bound}`

/** Locks the table, without its partitions: readers and movements wait for it until the transaction ends. */
export const LOCK_TABLE = "lock table only stay in access exclusive mode"

/** Makes the partition of these ids beside the default one, `partition`. The first one ends there, and an empty one becomes the default. */
export const makePartition = (partition: string, { from, to }: IdBounds): ReadonlyArray<string> => {
  const name = nameOf(from)
  const isFirst = partition === FIRST
  return [
    ...create(name),
    ...(isFirst ? create(REST) : []),
    LOCK_TABLE,
    ...(isFirst
      ? [
          `alter table stay detach partition ${FIRST}`,
          attach(FIRST, `for values from (minvalue) to (${from})`),
          attach(REST, "default")
        ]
      : []),
    attach(name, `for values from (${from}) to (${to})`),
    `alter table ${partition} drop constraint stay_ahead`
  ]
}

/** Goes on with the id after $1, unless it was issued. */
export const GO_ON_AFTER = "select setval('stay_id', $1::bigint) from stay_id where last_value < $1::bigint"

/** Joins organizations that exist to their policies, and compares `last` with them. An access is needed until `isPastRetention`. */
const isNeeded = (members: string, now: string) => `
  ${members}
  join organization o on o.id = m.organization_id
  left join stay_policy p on p.organization_id = m.organization_id
  where p.retention is null or m.last >= ${now}::timestamptz - p.retention * interval '1 second'`

/**
 * Whether an organization surely needs a partition: $1 now. It reads one access of each, of the last place: mostly one of the last. It
 * costs little where a partition is still needed, which is nearly always.
 */
export const isSurelyNeeded = (partition: string) => {
  const one = (condition: string) => `
    select organization_id, exited_at from ${partition}${condition}
    order by organization_id desc, place_id desc, id desc
    limit 1`
  return `
with recursive m (organization_id, last) as (
  (${one("")})
  union all
  select next.* from m cross join lateral (${one(" where organization_id < m.organization_id")}) next
)
select from (select 1) one where exists (select${isNeeded("from m", "$1")})`
}

/** The last issued id. */
export const LAST = "select last_value as last from stay_id"

/** At most $3 open stays with ids from $1, before $2: they may become accesses of the partition. */
export const OPEN_IN = `
select array_agg(organization_id)::text as organizations, array_agg(place_id)::text as places, array_agg(id)::text as ids,
  count(*)::int as count
from (
  select organization_id, place_id, id from open_stay where id >= $1::bigint and id < $2::bigint limit $3::bigint
) inside`

/** The accesses of a partition by organization: how many, and the last exit. It reads them in their order on the disk. */
export const survey = (partition: string) => `
select array_agg(organization_id)::text as organizations, array_agg(last)::text as lasts, coalesce(sum(count), 0)::bigint as count
from (select organization_id, max(exited_at) as last, count(*) as count from ${partition} group by organization_id) member`

/** Locks the policies of the organizations $1 until the transaction ends. Those without one need their accesses for ever. */
export const HOLD_POLICIES = `
select from stay_policy where organization_id = any($1::text::bigint[]) order by organization_id for share`

/** Whether one of the organizations $1 with the last exits $2 needs them: $3 now. */
export const IS_NEEDED = `
select from (select 1) one where exists (
  select${isNeeded("from unnest($1::text::bigint[], $2::text::timestamptz[]) as m (organization_id, last)", "$3")}
)`

/** Whether accesses were imported since $1: some of them may be in any partition. */
export const IS_IMPORTED_SINCE = "select from presence_history where imported_at >= $1::timestamptz limit 1"

/** Whether one of the stays that were open is an access of the partition that is needed: $1 to $3 their keys, $4 now. */
export const isNeededSince = (partition: string) => `
select from (select 1) one where exists (
  select${isNeeded(
    `from (
    select f.organization_id, s.exited_at as last
    from unnest($1::text::bigint[], $2::text::bigint[], $3::text::bigint[]) as f (organization_id, place_id, id)
    cross join lateral (
      select exited_at from ${partition} where organization_id = f.organization_id and place_id = f.place_id and id = f.id limit 1
    ) s
  ) m`,
    "$4"
  )}
)`

export const lockPartition = (partition: string) => `lock table ${partition} in access exclusive mode`

export const drop = (partition: string) => `drop table ${partition}`
