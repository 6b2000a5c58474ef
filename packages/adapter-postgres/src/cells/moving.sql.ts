/** The statements of a move: what an organization has in each table, and how it is read, written and deleted. $1 is the organization. */
import { RANGE_END } from "../database/idRanges.ts"

/** Who holds the webhooks of a copy. */
export const MOVING_HOLDER = "a move"

/** The tables that are copied ahead, while the organization is used: nothing refers to them, and they may be long. With their keys. */
export const AHEAD = {
  open_stay: ["place_id", "id"],
  stay: ["place_id", "id"],
  presence_event: ["version"],
  presence_bucket: ["place_id", "step", "began_at"],
  entrance_retry: ["place_id", "retry_key"]
} as const

export type AheadTable = keyof typeof AHEAD

/** The tables that are moved in the pause, each after those that it refers to. */
export const IN_PAUSE = [
  "organization",
  "place",
  "permission",
  "account_link",
  "favorite",
  "deletion_request",
  "stay_policy",
  "device",
  "device_premises",
  "device_epoch",
  "counted_people",
  "floor_plan",
  "erasure",
  "presence_feed",
  "presence_totals",
  "presence_history",
  "pending_change",
  "muster",
  "muster_person",
  "muster_beginning",
  "muster_result",
  "webhook",
  "webhook_attempt"
] as const

/** The tables that are of a cell, and not of an organization. */
export const OF_CELL = [
  "administrator_account",
  "arrival",
  "departure",
  "organization_cell",
  "subject_cell",
  "token_key"
] as const

const OF_ORGANIZATION: Readonly<Record<string, string>> = {
  organization: "id = $1::bigint",
  webhook_attempt: "webhook_id in (select id from webhook where organization_id = $1::bigint)"
}

const isOf = (table: string) => OF_ORGANIZATION[table] ?? "organization_id = $1::bigint"

/** What an organization has that requests name by its id, by the names of its tables. */
export const MOVED_KINDS = ["organization", "place", "muster", "webhook", "device", "deletion_request"] as const

/** The ids of the organization. */
export const IDS = MOVED_KINDS.map((kind) => `select '${kind}' as kind, id from ${kind} where ${isOf(kind)}`).join(
  " union all "
)

/**
 * Deletes the rows of the tables of {@link IN_PAUSE}, and answers them, each with its table. The answer has all rows as they were
 * deleted, whichever transaction changed one last.
 */
export const TAKE = `
with ${IN_PAUSE.map((table) => `taken_${table} as (delete from ${table} where ${isOf(table)} returning *)`).join()}
${IN_PAUSE.map((table) => `select '${table}' as table, to_json(t)::text as row from taken_${table} t`).join(" union all ")}`

export const remove = (table: string): string => `delete from ${table} where ${isOf(table)}`

/** The columns of a row. Views of shards of Citus have some of PostgreSQL's own besides. */
export const columnsOf = (row: string): string =>
  Object.keys(JSON.parse(row) as object)
    .filter((name) => name !== "xmin" && name !== "ctid")
    .map((name) => `"${name}"`)
    .join()

/** Writes rows with these columns, $1. */
export const write = (table: string, columns: string): string => `
insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`

/** Whether a row `t` of a table that is copied ahead has the key of the row `r`: as with `IS_THE_STAY` no plan is left but the key. */
const hasKeyOf = (table: AheadTable): string =>
  `t.organization_id = any(array[r.organization_id]) and ${AHEAD[table].map((key) => `t.${key} = r.${key}`).join(" and ")}`

/** Writes rows of a table that is copied ahead, $1, in place of those with their keys. */
export const overwrite = (table: AheadTable, columns: string): ReadonlyArray<string> => [
  `delete from ${table} t using json_populate_recordset(null::${table}, $1::json) r where ${hasKeyOf(table)}`,
  write(table, columns)
]

/** Deletes some rows of a table that is copied ahead, and answers how many. */
export const clear = (table: AheadTable): string => `
with r as materialized (
  select organization_id, ${AHEAD[table].join()} from ${table}
  where organization_id = $1::bigint order by ${AHEAD[table].join()} limit 2000
),
cleared as (delete from ${table} t using r where ${hasKeyOf(table)} returning 1)
select count(*) as count from cleared`

/** How many rows there are of what may be changed in other ways than by movements and their events. */
export const COUNT = ["presence_bucket", "entrance_retry"]
  .map((table) => `(select count(*) from ${table} where organization_id = $1::bigint) as ${table}`)
  .join()

/** The transaction that announced the organization here: another move of it to this cell announces it again. */
export const ARRIVAL =
  "select xmin::text as announcement from arrival where organization_id = $1::bigint and not is_complete for update"

/** Equal before and after, where nothing was deleted from the history but what is past retention. */
export const DELETIONS = `
select array(select 0::bigint union all select id from place where organization_id = $1::bigint order by 1)::text as places,
  array(select e::text from erasure e where organization_id = $1::bigint order by day)::text as erased`

/**
 * How far a copy is that begins now. The crowd are the open stays: these, and those that are opened later, are all that may become closed stays.
 */
export const COPY_POSITION = `
select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text as oldest, (select last_value from stay_id) as last_stay,
  coalesce((select version from presence_feed where organization_id = $1::bigint), 0) as version,
  coalesce((select version from presence_history where organization_id = $1::bigint), 0) as rolled_up,
  (select array_agg(place_id)::text from open_stay where organization_id = $1::bigint) as crowd_places,
  (select array_agg(id)::text from open_stay where organization_id = $1::bigint) as crowd_ids, deletions.*
from (${DELETIONS}) deletions`

export const copyAll = (table: AheadTable) =>
  `select to_json(t)::text as row from ${table} t where organization_id = $1::bigint`

/**
 * Compares the open stays with the crowd of a position, $2 its places and $3 its ids: who came since, and who is gone. The keys are compared by hashes:
 * a join of lists whose length the planner does not know may compare each with each.
 */
const openSince = (open: string): string => `
with open as materialized (${open}),
crowd as materialized (select place_id, id from unnest($2::text::bigint[], $3::text::bigint[]) as c (place_id, id)),
gone as materialized (select place_id, id from crowd except select place_id, id from open)
select (
    select array_agg(to_json(o)::text) from open o where (place_id, id) not in (select place_id, id from crowd)
  ) as added,
  (select array_agg(place_id)::text from gone) as gone_places, (select array_agg(id)::text from gone) as gone_ids`

export const OPEN_SINCE = openSince("select * from open_stay where organization_id = $1::bigint")

/** The same of the open stays that it deletes. */
export const TAKE_OPEN = openSince("delete from open_stay where organization_id = $1::bigint returning *")

/** Deletes the open stays of a copy that are gone: $2 their places, $3 their ids. */
export const REMOVE_GONE = `
delete from open_stay t
using (
  select $1::bigint as organization_id, place_id, id from unnest($2::text::bigint[], $3::text::bigint[]) as c (place_id, id)
) r
where ${hasKeyOf("open_stay")}`

/** What was added to a table, or changed, since the position, by their values: $2 and so on. */
export const COPY_SINCE: { readonly [Table in Exclude<AheadTable, "open_stay">]: string } = {
  // $2 the places and $3 the ids of the crowd that are gone, $4 the last id, $5 all places
  stay: `
select to_json(t)::text as row from (
  select s.* from unnest($2::text::bigint[], $3::text::bigint[]) as gone (place_id, id)
  cross join lateral (
    select * from stay where organization_id = $1::bigint and place_id = gone.place_id and id = gone.id limit 1
  ) s
  union
  select s.* from unnest($5::text::bigint[]) as premises (place_id)
  cross join lateral (
    select * from stay
    where organization_id = $1::bigint and place_id = premises.place_id and id > $4::bigint and id <= ($4::bigint | ${RANGE_END})
  ) s
) t`,
  // $2 the last version
  presence_event: `${copyAll("presence_event")} and version > $2::bigint`,
  // $2 the version of the last event that the buckets have
  presence_bucket: `${copyAll("presence_bucket")} and (place_id, step, began_at) in (
  select e.place_id, s.step, to_timestamp(floor(extract(epoch from e.at) / s.step) * s.step)
  from presence_event e cross join unnest(array[60, 3600, 86400]) as s (step)
  where e.organization_id = $1::bigint and e.version > $2::bigint and e.type = 'presence.changed'
)`,
  // $2 the oldest transaction that may have committed after the position was read. Frozen rows may be among the answers.
  entrance_retry: `${copyAll("entrance_retry")} and age(xmin) <= age($2::text::xid)`
}

/** Answers no row where a server that does not hold requests has recorded a movement since. */
export const IS_STILL = `
select where not exists (select from open_stay where organization_id = $1::bigint)
  and not exists (select from pending_change where organization_id = $1::bigint)`

/** The accounts that permissions refer to, without what is the home cell's alone. */
export const ACCOUNTS = `
select json_build_object('administrator_id', administrator_id, 'is_invitation', is_invitation)::text as row
from administrator_account
where administrator_id in (select administrator_id from permission where organization_id = $1::bigint)`

export const WRITE_ACCOUNTS = `
insert into administrator_account (administrator_id, is_invitation)
select administrator_id, is_invitation from json_to_recordset($1::json) as a (administrator_id text, is_invitation boolean)
on conflict (administrator_id) do nothing`

/** Who has permissions or favorites. */
export const SUBJECTS = `
select json_build_object('kind', 'administrator', 'id', administrator_id)::text as row from permission where organization_id = $1::bigint
union all
select json_build_object('kind', 'user', 'id', user_id)::text from favorite where organization_id = $1::bigint`

/** Says in the home cell that the cell $2 may have something of these. */
export const ADD_SUBJECTS = `
insert into subject_cell (kind, id, cell)
select kind, id, $2::smallint from json_to_recordset($1::json) as s (kind text, id text)
on conflict do nothing`

/** What an organization has otherwise in its new cell. No server sends its webhooks before the move is decided. */
export const ADAPT = [
  `update permission p set granted = n.granted
  from (
    select administrator_id, nextval('permission_granted') as granted
    from (select administrator_id from permission where organization_id = $1::bigint order by granted) own
  ) n
  where p.organization_id = $1::bigint and p.administrator_id = n.administrator_id`,
  `update favorite f set added = n.added
  from (
    select user_id, nextval('favorite_added') as added
    from (select user_id from favorite where organization_id = $1::bigint order by added) own
  ) n
  where f.organization_id = $1::bigint and f.user_id = n.user_id`,
  `update muster m set last_stays = last_stays || s.last
  from (select last_value - (not is_called)::int as last from stay_id offset 0) s
  where m.organization_id = $1::bigint and ended_at is null
    and not exists (select from unnest(last_stays) as l (id) where l.id | ${RANGE_END} = s.last | ${RANGE_END})`,
  `update webhook set holder = '${MOVING_HOLDER}', leased_until = '9999-12-31T00:00:00Z' where organization_id = $1::bigint`
]

/** The organization's part of the history of moves. */
export const DEPART = `
insert into departure (kind, id, organization_id, cell, number)
select kind, id, $1::bigint, $2::smallint, $3::bigint from (${IDS}) own
on conflict (kind, id) do update set cell = excluded.cell, number = excluded.number, is_cleared = false`

export const ARRIVE = `
insert into arrival (organization_id, number, is_complete) values ($1::bigint, $2::bigint, false)
on conflict (organization_id) do update set number = excluded.number, announced_at = excluded.announced_at, is_complete = false
returning xmin::text as announcement`
