/** The statements on the audit. `organization_id` 0 stands for none. */
import { PERSON_READ } from "@sojourn/core"

const COLUMNS =
  "at, actor_kind, actor_id, action, organization_id, place_id, target_kind, target_id, changes, people, request_id"

const TYPES = ["timestamptz", "text", "text", "text", "bigint", "bigint", "text", "text", "jsonb", "bigint", "text"]

const valuesFrom = (first: number) => TYPES.map((type, i) => `$${first + i}::${type}`)

const VALUES = valuesFrom(1).join()

/** Adds an entry. */
export const APPEND = `insert into audit_entry (${COLUMNS}) values (${VALUES})`

/**
 * The part of a statement that adds an entry, whose columns are the parameters from `first` on. Where it makes a place, `placeId` is the id in
 * SQL, which takes the place of 0.
 */
export const appendingFrom = (first: number, placeId?: string) => {
  const values = valuesFrom(first)
  if (placeId !== undefined) {
    values[5] = `coalesce(nullif(${values[5]}, 0), ${placeId})`
    values[7] = `coalesce(nullif(${values[7]}, '0'), ${placeId}::text)`
  }
  return `audited as (
  insert into audit_entry (${COLUMNS}) values (${values.join()})
),
`
}

/** Waits until no other server adds the entry of this reading: $1 its key. */
export const LOCK_READING = "select pg_advisory_xact_lock(hashtextextended(current_schema() || $1::text, 4733160214))"

/**
 * Adds the entry of a reading, or has that of the same reading since $12 keep the larger count; or that of a time as long after, by the clock of
 * another server.
 */
export const READ = `
with earlier as (
  select at, id from audit_entry
  where organization_id = $5::bigint and at > $12::timestamptz and at < $1::timestamptz + ($1::timestamptz - $12::timestamptz) and action = '${PERSON_READ}'
    and actor_kind = $2::text and actor_id = $3::text and place_id is not distinct from $6::bigint
    and target_kind is not distinct from $7::text and target_id is not distinct from $8::text
  order by at desc
  limit 1
),
merged as (
  update audit_entry e set people = greatest(e.people, $10::bigint)
  from earlier
  where e.organization_id = $5::bigint and e.at = earlier.at and e.id = earlier.id
)
insert into audit_entry (${COLUMNS}) select ${VALUES} where not exists (select from earlier)`

const listed = (organization: string, first: number) => {
  const [from, to, action, actor, at, id, limit] = Array.from({ length: 7 }, (_, i) => `$${first + i}`)
  return `
select * from audit_entry
where ${organization}at >= ${from}::timestamptz and at < ${to}::timestamptz
  and (${action}::text is null or action = ${action}::text) and (${actor}::text is null or actor_id = ${actor}::text)
  and (${at}::timestamptz is null or (at, id) < (${at}::timestamptz, ${id}::bigint))
order by at desc, id desc
limit ${limit}::bigint`
}

/** The entries of the organization $1. $3 from, $4 to, $5 the action, $6 the actor, $7 and $8 the last entry of the page before, $9 how many. */
export const LIST = listed("organization_id = $1::bigint and ", 3)

/** The same of any organization $1, existing or not. $2 to $8 are as $3 to $9 of {@link LIST}. */
export const LIST_OF = listed("organization_id = $1::bigint and ", 2)

/** The same of all organizations. $1 to $7 are as $3 to $9 of {@link LIST}. */
export const LIST_ALL = listed("", 1)

/** The partition of entries that were not expected, as those of a restored backup. */
export const REST = "audit_entry_rest"

/** The columns that identify a person: PostgreSQL samples none of them, see `IDENTIFYING`. */
const IDENTIFYING_COLUMNS = ["actor_id", "target_id", "changes"] as const

/** A partition of one month. */
export interface Month {
  readonly name: string
  /** RFC 3339. */
  readonly from: string
  readonly to: string
}

/** The month of a time, or one of those after it, in UTC. */
export const monthOf = (time: number, later = 0): Month => {
  const date = new Date(time)
  const beginning = (months: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString()
  const from = beginning(later)
  return { name: `audit_entry_${from.slice(0, 4)}${from.slice(5, 7)}`, from, to: beginning(later + 1) }
}

/** Makes the partition of a month. Entries that are added meanwhile wait for the last of the statements. */
export const makeMonth = ({ name, from, to }: Month): ReadonlyArray<string> => [
  `create table ${name} (like audit_entry including all)`,
  ...IDENTIFYING_COLUMNS.map((column) => `alter table ${name} alter column ${column} set statistics 0`),
  `alter table audit_entry attach partition ${name} for values from ('${from}') to ('${to}')`
]

/** The names of the partitions, with the end of their month; null of {@link REST}. None where Citus has them. */
export const PARTITIONS: string = `
select c.relname::text as name, (substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)'))::timestamptz as ends_at
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('audit_entry')`

export const dropMonth = (name: string) => `drop table ${name}`

/** Forgets the entries from before $1 that are in no partition that can be dropped as a whole. */
export const FORGET = "delete from audit_entry where at < $1::timestamptz"

/** Forgets the user, administrator or operator $2, of the kind $1, as an actor and as a target. $3 stands in their place. */
export const ERASE_NAMED = `
update audit_entry set
  actor_id = case when actor_kind = $1::text and actor_id = $2::text then $3::text else actor_id end,
  target_id = case when target_kind = $1::text and target_id = $2::text then $3::text else target_id end
where (actor_kind = $1::text and actor_id = $2::text) or (target_kind = $1::text and target_id = $2::text)
returning id`

/** Forgets the person $2 of the organization $1. */
export const ERASE_PERSON = `
update audit_entry set target_id = $3::text
where organization_id = $1::bigint and target_kind = 'person' and target_id = $2::text
returning id`

/** What the user, administrator or operator $2, of the kind $1, did, and what was done to them. */
export const ENTRIES_NAMING = `
select * from audit_entry
where (actor_kind = $1::text and actor_id = $2::text) or (target_kind = $1::text and target_id = $2::text)
order by at, id`

/** What concerned the person $2 of the organization $1: who looked at them. */
export const ENTRIES_OF_PERSON = `
select * from audit_entry where organization_id = $1::bigint and target_kind = 'person' and target_id = $2::text
order by at, id`
