/**
 * The statements on movements. Each reads the facts of its movements, writes what the rule allows on them, and returns both. Those for
 * anonymous organizations look up no person, which is half of the work.
 */
import { type Closing, type Opening, requireTimely, RETRY_KEY_LIFETIME } from "@sojourn/core"
import { Option, Result } from "effect"
import { arrays, type Columns, values } from "../database/columns.ts"
import { placeIdOf, type PremisesKey } from "../database/PremisesDirectory.ts"
import { appendEach, appendMovements } from "../feed/pendingChanges.sql.ts"
import { IS_THE_STAY, OF_PREMISES } from "../database/premises.sql.ts"

/** An entrance, with the key of its premises. */
export interface LocatedOpening extends PremisesKey {
  readonly _tag: "Opening"
  readonly opening: Opening
}

/** An exit that may close its stay. */
export interface LocatedClosing {
  readonly _tag: "Closing"
  readonly closing: Closing
  /** True once a statement for anonymous organizations did not close the stay: the statement has to look for a person. */
  readonly isLookedUp: boolean
}

/** A statement, and the values of its parameters. */
export type PreparedStatement = readonly [text: string, parameters: ReadonlyArray<unknown>]

/** A column of the rows that a statement is given. */
type Given<Item> = readonly [
  name: string,
  kind: keyof Columns,
  value: (item: Item) => bigint | number | string | null | undefined
]

/** `entered_at` is null where the rule refuses the time. */
const ENTRANCE: ReadonlyArray<Given<LocatedOpening>> = [
  ["organization_id", "bigints", ({ organizationId }) => organizationId],
  ["place_id", "bigints", ({ placeId }) => placeId],
  ["key_id", "smallints", ({ opening }) => opening.keyId],
  [
    "entered_at",
    "instants",
    ({ opening: { claim } }) => (Result.isSuccess(requireTimely(claim)) ? (claim.timestamp ?? claim.now) : null)
  ],
  ["now", "instants", ({ opening }) => opening.claim.now]
]

const REPEATABLE_ENTRANCE: ReadonlyArray<Given<LocatedOpening>> = [
  ...ENTRANCE,
  ["retry_key", "texts", ({ opening }) => Option.getOrNull(opening.retryKey)]
]

const IDENTIFIED_ENTRANCE: ReadonlyArray<Given<LocatedOpening>> = [
  ...REPEATABLE_ENTRANCE,
  ["user_id", "texts", ({ opening }) => opening.userId],
  ["claimed", "texts", ({ opening }) => opening.claim.orgAuthServerId]
]

/** `exited_at` null is now, and never before the entrance. */
const EXIT: ReadonlyArray<Given<LocatedClosing>> = [
  ["organization_id", "bigints", ({ closing }) => closing.stay.organizationId],
  ["place_id", "bigints", ({ closing }) => placeIdOf(closing.premises)],
  ["stay_id", "bigints", ({ closing }) => closing.stay.stayId],
  ["exited_at", "instants", ({ closing }) => closing.claim.timestamp],
  ["now", "instants", ({ closing }) => closing.claim.now]
]

const IDENTIFIED_EXIT: ReadonlyArray<Given<LocatedClosing>> = [
  ...EXIT,
  ["user_id", "texts", ({ closing }) => closing.userId],
  ["claimed", "texts", ({ closing }) => closing.claim.orgAuthServerId]
]

const SQL_TYPES: { readonly [Kind in keyof Columns]: string } = {
  bigints: "bigint",
  smallints: "smallint",
  integers: "int",
  doubles: "float8",
  texts: "text",
  instants: "timestamptz"
}

/** The rows of items, with the alias `name` and their number `n` from 1. Their parameters begin at $`p`. */
type Rows = <Item>(p: number, name: string, columns: ReadonlyArray<Given<Item>>) => string

/** Any number of rows, by an array for each column. */
const rowsOfArrays: Rows = (p, name, columns) => {
  const parameters = columns.map(([, kind], i) => `$${p + i}::${SQL_TYPES[kind]}[]`)
  return `unnest(${parameters.join(", ")}) with ordinality as ${name} (${columns.map(([column]) => column).join(", ")}, n)`
}

/** One row, by a value for each column. */
const rowOfValues: Rows = (p, name, columns) => {
  const parameters = columns.map(([column, kind], i) => `$${p + i}::${SQL_TYPES[kind]} as ${column}`)
  return `(select ${parameters.join(", ")}, 1 as n) as ${name}`
}

/** The parameters of {@link Rows}. */
const given = <Item>(columns: ReadonlyArray<Given<Item>>, items: ReadonlyArray<Item>, as: Columns) =>
  columns.map(([, kind, value]) => as[kind](items, value as (item: Item) => never))

/** Whether the place of the entrance `asked` exists, if it names one. */
const PLACE_EXISTS = `(asked.place_id = 0 or (
      select true from place where organization_id = asked.organization_id and id = asked.place_id limit 1
    ))`

/** Whether the use of a retry key is by the entrance `asked`, within the lifetime. */
const IS_REPEATED = `organization_id = asked.organization_id and place_id = asked.place_id and retry_key = asked.retry_key
        and used_at > asked.now - interval '${RETRY_KEY_LIFETIME / 1000} seconds'`

/** Entrances into anonymous organizations: there is a row for each whose place exists. A batch without retry keys takes PostgreSQL 3 to 7 % less. */
const enteringAnonymously = (hasRetryKeys: boolean) => `
facts as materialized (
  select found.*,
    case when is_anonymous and entered_at is not null${hasRetryKeys ? " and repeated is null" : ""} then nextval('stay_id') end as new_id
  from (
    select asked.*,
      asked.organization_id = any(array(
        select id from organization where id = any($1::bigint[]) and tracking_mode = 'anonymous'
      )) as is_anonymous${
        hasRetryKeys
          ? `,
      case when asked.retry_key is not null then (select r from entrance_retry r where ${IS_REPEATED} limit 1) end as repeated`
          : ""
      }
    from ${rowsOfArrays(1, "asked", hasRetryKeys ? REPEATABLE_ENTRANCE : ENTRANCE)}
    where ${PLACE_EXISTS}
    offset 0
  ) found
),
opened as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, key_id, entered_at, now
  from facts
  where new_id is not null
)${
  hasRetryKeys
    ? `,
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
  select organization_id, place_id, retry_key, new_id, key_id, entered_at, now
  from facts
  where retry_key is not null and new_id is not null
  order by organization_id, place_id, retry_key
)`
    : ""
}`

/**
 * Entrances into any organizations: there is a row for each whose premises exist. `earlier` is of the stay that the retry key or the person
 * opened. One that is exclusive is written where it `endsOthers`, in a transaction.
 *
 * All batches insert people, and retry keys after them, in one order, which prevents deadlocks. A new stay is not `opened` where a
 * concurrent transaction opened one for the person. A lookup that does not apply (a link in an anonymous organization, a retry key that
 * is not there) compares with null, which costs nothing.
 */
const entering = (rows: Rows, endsOthers: boolean) => {
  const isGranted = endsOthers ? "is_admitted" : "is_admitted and not is_exclusive"
  return `
facts as materialized (
  select found.*, case when ${isGranted} and earlier_id is null then nextval('stay_id') end as new_id
  from (
    select asked.*, o.tracking_mode, l.linked,
      asked.entered_at is not null and (o.tracking_mode = 'anonymous' or l.linked = coalesce(asked.claimed, l.linked)) as is_admitted,
      o.tracking_mode = 'authenticated' and asked.place_id <> 0
        and (select true from stay_policy where exclusive_places limit 1) is not null
        and (
          select true from stay_policy where organization_id = asked.organization_id and exclusive_places limit 1
        ) is not null as is_exclusive,
      r.stay_id is not null as is_repeated,
      coalesce(r.stay_id, s.id) as earlier_id,
      case when r.stay_id is null then l.linked else r.person end as person,
      coalesce(r.key_id, s.key_id) as earlier_key,
      coalesce(r.entered_at, s.entered_at) as earlier_entrance
    from ${rows(1, "asked", IDENTIFIED_ENTRANCE)}
    cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
    left join lateral (
      select org_auth_server_id as linked from account_link
      where organization_id = asked.organization_id
        and user_id = case o.tracking_mode when 'authenticated' then asked.user_id end
      limit 1
    ) l on true
    left join lateral (select stay_id, person, key_id, entered_at from entrance_retry where ${IS_REPEATED} limit 1) r on true
    left join lateral (
      select id, key_id, entered_at from open_stay
      where organization_id = asked.organization_id and place_id = asked.place_id and person = l.linked
      limit 1
    ) s on true
    where ${PLACE_EXISTS}
    offset 0
  ) found
),
opened as (
  insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, person, key_id, entered_at, now
  from facts
  where new_id is not null
  order by organization_id, place_id, person
  on conflict (organization_id, place_id, person) where person is not null do nothing
  returning organization_id, place_id, id, person, recorded_at as now
),
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, person, key_id, entered_at, used_at)
  select organization_id, place_id, retry_key, coalesce(earlier_id, new_id), person, coalesce(earlier_key, key_id),
    coalesce(earlier_entrance, entered_at), now
  from facts
  where retry_key is not null and ${isGranted} and not is_repeated
    and (earlier_id is not null or new_id in (select id from opened))
  order by organization_id, place_id, retry_key
)`
}

/**
 * Exits, of which `mayClose` is what the rule `settle` says: there is a row for each that closed its stay. A stay that is named twice is
 * closed once.
 */
const leaving = (from: string, columns: string, mayClose: string) => `
left_stay as (
  delete from open_stay s
  using ${from}
  where ${IS_THE_STAY}
    and ${mayClose}
    and coalesce(f.exited_at, s.entered_at) >= s.entered_at
  returning f.n, f.now, ${columns}s.organization_id, s.place_id, s.id, s.person, s.entered_at,
    coalesce(f.exited_at, greatest(f.now, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select organization_id, place_id, id, person, entered_at, exited_at
  from left_stay
)`

/** Exits from stays without a person, by callers who claim none. */
const leavingAnonymously = (p: number) => leaving(rowsOfArrays(p, "f", EXIT), "", "s.person is null")

/** Any exits. */
const leavingIdentified = (p: number, rows: Rows) => `
leaving as materialized (
  select asked.*, o.tracking_mode, l.org_auth_server_id as linked
  from ${rows(p, "asked", IDENTIFIED_EXIT)}
  cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
  left join lateral (
    select org_auth_server_id from account_link
    where organization_id = asked.organization_id and user_id = asked.user_id
    limit 1
  ) l on true
),${leaving(
  "leaving f",
  "f.tracking_mode, f.linked, ",
  `(s.person is null or f.linked is null or f.linked = s.person)
    and (f.tracking_mode = 'anonymous' or f.claimed is null
      or f.claimed = coalesce(f.linked, s.person, f.claimed))`
)}`

const OPENED_ANONYMOUSLY = `
  select organization_id, place_id, null::interval as stayed, true as is_anonymous, now from facts where new_id is not null`
const OPENED = `
  select organization_id, place_id, null::interval as stayed, person is null as is_anonymous, now from opened`
const CLOSED = `
  select organization_id, place_id, exited_at - entered_at as stayed, person is null as is_anonymous, now from left_stay`

const ANONYMOUS_ENTRANCES = `
select n::int as n, is_anonymous, new_id as id, null as person, null::smallint as key_id, null::timestamptz as entered_at
from facts`
const ANONYMOUS_ENTRANCES_WITH_KEYS = `
select n::int as n, is_anonymous, coalesce(new_id, (repeated).stay_id) as id, (repeated).person as person,
  (repeated).key_id as key_id, (repeated).entered_at as entered_at
from facts`
const ANONYMOUS_EXITS = `
select -n::int as n, null, null, null, null, entered_at
from left_stay`

const ENTRANCES = `
select n::int as n, tracking_mode, linked, person,
  case when earlier_id is not null or new_id in (select id from opened) then coalesce(earlier_id, new_id) end as id,
  earlier_key as key_id, earlier_entrance as entered_at, is_repeated, is_exclusive
from facts`
const EXITS = `
select -n::int as n, tracking_mode, linked, person, null, null, entered_at, null, null
from left_stay`

const moveAnonymously = (hasRetryKeys: boolean) => {
  const p = 1 + (hasRetryKeys ? REPEATABLE_ENTRANCE : ENTRANCE).length
  const entered = hasRetryKeys ? ANONYMOUS_ENTRANCES_WITH_KEYS : ANONYMOUS_ENTRANCES
  return `
with ${enteringAnonymously(hasRetryKeys)},${leavingAnonymously(p)},${appendMovements([OPENED_ANONYMOUSLY, CLOSED])}${entered}
union all${ANONYMOUS_EXITS}`
}

const MOVE_ANONYMOUS = moveAnonymously(false)

const MOVE_ANONYMOUS_WITH_KEYS = moveAnonymously(true)

/** An entrance without a retry key. */
const ENTER_ANONYMOUS = `
with facts as materialized (
  select found.*, case when is_anonymous and $4::timestamptz is not null then nextval('stay_id') end as id
  from (
    select id as organization_id, $2::bigint as place_id, tracking_mode = 'anonymous' as is_anonymous
    from organization o where ${OF_PREMISES}
    offset 0
  ) found
),
opened as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select organization_id, place_id, id, $3::smallint, $4::timestamptz, $5::timestamptz
  from facts
  where id is not null
),
recorded as (
  insert into pending_change (organization_id, place_id, entered, at)
  select organization_id, place_id, 1, $5::timestamptz
  from facts
  where id is not null
)
select 1 as n, is_anonymous, id from facts`

const EXIT_ANONYMOUS = `
with left_stay as (
  delete from open_stay
  where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
    and person is null
    and coalesce($4::timestamptz, entered_at) >= entered_at
  returning organization_id, place_id, id, entered_at,
    coalesce($4::timestamptz, greatest($5::timestamptz, entered_at)) as exited_at
),
recorded as (
  insert into pending_change (organization_id, place_id, departed, exits, stayed, at, is_anonymous)
  select organization_id, place_id, 1, 1, (extract(epoch from exited_at - entered_at) * 1000)::bigint, $5::timestamptz, true
  from left_stay
)
insert into stay (organization_id, place_id, id, entered_at, exited_at)
table left_stay
returning -1 as n, entered_at`

const MOVE_IDENTIFIED = `
with ${entering(rowsOfArrays, false)},${leavingIdentified(1 + IDENTIFIED_ENTRANCE.length, rowsOfArrays)},${appendMovements(
  [OPENED, CLOSED]
)}${ENTRANCES}
union all${EXITS}`

const ENTER_IDENTIFIED = `
with ${entering(rowOfValues, false)},${appendEach([OPENED])}${ENTRANCES}`

const ENTER_ENDING = `
with ${entering(rowOfValues, true)},${appendEach([OPENED])}${ENTRANCES}`

const EXIT_IDENTIFIED = `
with ${leavingIdentified(1, rowOfValues)},${appendEach([CLOSED])}${EXITS}`

/** All statements on movements. */
export const MOVEMENT_STATEMENTS = {
  ENTER_ANONYMOUS,
  EXIT_ANONYMOUS,
  MOVE_ANONYMOUS,
  MOVE_ANONYMOUS_WITH_KEYS,
  ENTER_IDENTIFIED,
  ENTER_ENDING,
  EXIT_IDENTIFIED,
  MOVE_IDENTIFIED
}

/** The statement for an entrance that may end other stays, in a transaction. */
export const enterEnding = (opening: LocatedOpening): PreparedStatement => [
  ENTER_ENDING,
  given(IDENTIFIED_ENTRANCE, [opening], values)
]

/**
 * The statement for entrances and exits; `areAnonymous` if no person has to be looked up for any of them. Those of several movements have
 * arrays as parameters, those of entrances first. They insert entrances before they close stays, which prevents deadlocks; neither part
 * sees what the other writes. A row has the number of its movement from 1 as `n`, which is negative for exits.
 */
export const movementStatement = (
  openings: ReadonlyArray<LocatedOpening>,
  closings: ReadonlyArray<LocatedClosing>,
  areAnonymous: boolean
): PreparedStatement => {
  const isExit = openings.length === 0 && closings.length === 1
  const isEntrance = closings.length === 0 && openings.length === 1
  if (areAnonymous) {
    if (isExit) return [EXIT_ANONYMOUS, given(EXIT, closings, values)]
    const hasRetryKeys = openings.some(({ opening }) => Option.isSome(opening.retryKey))
    if (isEntrance && !hasRetryKeys) return [ENTER_ANONYMOUS, given(ENTRANCE, openings, values)]
    const exits = given(EXIT, closings, arrays)
    return hasRetryKeys
      ? [MOVE_ANONYMOUS_WITH_KEYS, [...given(REPEATABLE_ENTRANCE, openings, arrays), ...exits]]
      : [MOVE_ANONYMOUS, [...given(ENTRANCE, openings, arrays), ...exits]]
  }
  if (isExit) return [EXIT_IDENTIFIED, given(IDENTIFIED_EXIT, closings, values)]
  if (isEntrance) return [ENTER_IDENTIFIED, given(IDENTIFIED_ENTRANCE, openings, values)]
  return [
    MOVE_IDENTIFIED,
    [...given(IDENTIFIED_ENTRANCE, openings, arrays), ...given(IDENTIFIED_EXIT, closings, arrays)]
  ]
}
