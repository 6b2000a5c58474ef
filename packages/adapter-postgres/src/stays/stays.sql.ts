/**
 * The statements of the stay log. Each names the organization and the place (0: the organization as a whole), which begin
 * every key that it uses.
 */

import { OF_PREMISES } from "../database/premises.sql.ts"
import { IS_THE_STAY } from "./keys.sql.ts"
import { BATCH, type Columns, type Form, type Part, PREMISES_EXIST, SINGLE, statement } from "./moving.sql.ts"
import { anonymousClosings, ANONYMOUS_OPENING, anonymousOpenings, LONE_CLOSING, LONE_OPENING } from "./anonymous.sql.ts"

/** The facts that a movement is decided on; no row where the premises do not exist. `user` is a parameter. */
const factsFor = (user: string) => `
  select o.tracking_mode, l.org_auth_server_id as linked
  from organization o
  left join account_link l on l.organization_id = o.id and l.user_id = ${user}::text
  where ${OF_PREMISES}`

/** The tracking mode of premises, and the person whom a user is linked to: $3 the user. */
export const FACTS = factsFor("$3")

const OPENING: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["user_id", "text"],
  ["claimed", "text"],
  ["key_id", "smallint"],
  ["entered_at", "timestamptz"],
  ["now", "timestamptz"],
  ["retry_key", "text"]
]

/**
 * Entrances, each a row: the organization, the place, the user, the person they claim to be, the token's key,
 * the entrance (null: none that may be written), now, the retry key or null; and how long a retry key stands. A row is
 * answered for each whose premises exist.
 *
 * `id` is the stay of the entrance: one that the retry key or the person opened earlier, with its key and its entrance, or a
 * new one. It is null where the rule refuses. A new one is not `written` where a concurrent transaction opened a stay for the
 * person.
 *
 * All batches insert people, and retry keys after them, in one order, which prevents deadlocks. A lookup that does not apply
 * (a link in an anonymous organization, a retry key that is not there) compares with null, which costs nothing. Of two
 * entrances with one new retry key the later violates the key of `entrance_retry`, and its whole statement is rolled back.
 */
const openings = (p: number, { rows }: Form): Part => ({
  does: `
facts as materialized (
  select found.*, case when is_granted and earlier_id is null then nextval('stay_id') end as new_id
  from (
    select asked.*, o.tracking_mode, l.org_auth_server_id as linked,
      asked.entered_at is not null
        and (o.tracking_mode = 'anonymous' or l.org_auth_server_id = coalesce(asked.claimed, l.org_auth_server_id))
        as is_granted,
      r.stay_id is not null as is_repeated,
      coalesce(r.stay_id, s.id) as earlier_id,
      case when r.stay_id is null then l.org_auth_server_id else r.person end as person,
      coalesce(r.key_id, s.key_id) as earlier_key,
      coalesce(r.entered_at, s.entered_at) as earlier_entrance
    from ${rows(p, "asked", OPENING)}
    cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
    left join lateral (
      select org_auth_server_id from account_link
      where organization_id = asked.organization_id
        and user_id = case o.tracking_mode when 'authenticated' then asked.user_id end
      limit 1
    ) l on true
    left join lateral (
      select stay_id, person, key_id, entered_at from entrance_retry
      where organization_id = asked.organization_id and place_id = asked.place_id and retry_key = asked.retry_key
        and used_at > asked.now - $${p + OPENING.length}::interval
      limit 1
    ) r on true
    left join lateral (
      select id, key_id, entered_at from open_stay
      where organization_id = asked.organization_id and place_id = asked.place_id and person = l.org_auth_server_id
      limit 1
    ) s on true
    where ${PREMISES_EXIST}
  ) found
),
opened as (
  insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, person, key_id, entered_at, now
  from facts
  where new_id is not null
  order by organization_id, place_id, person
  on conflict (organization_id, place_id, person) where person is not null do nothing
  returning organization_id, place_id, id, recorded_at
),
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, person, key_id, entered_at, used_at)
  select organization_id, place_id, retry_key, coalesce(earlier_id, new_id), person, coalesce(earlier_key, key_id),
    coalesce(earlier_entrance, entered_at), now
  from facts
  where retry_key is not null and is_granted and not is_repeated
    and (earlier_id is not null or new_id in (select id from opened))
  order by organization_id, place_id, retry_key
)`,
  moved: "select organization_id, place_id, null::interval as stayed, recorded_at as now from opened",
  from: "facts",
  n: "n",
  answers: {
    tracking_mode: "tracking_mode",
    linked: "linked",
    person: "person",
    id: "coalesce(earlier_id, new_id)",
    key_id: "earlier_key",
    entered_at: "earlier_entrance",
    is_written: "new_id in (select id from opened)"
  }
})

const CLOSING: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["stay_id", "bigint"],
  ["user_id", "text"],
  ["claimed", "text"],
  ["exited_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Exits, each a row: the organization, the place, the stay, the user, the person they claim to be, the exit
 * (null: now, and never before the entrance), now. A row is answered for each that closed its stay, which the rule `settle`
 * allows. A stay that is named twice is closed once.
 */
const closings = (p: number, { rows }: Form): Part => ({
  does: `
leaving as materialized (
  select asked.*, o.tracking_mode, l.org_auth_server_id as linked
  from ${rows(p, "asked", CLOSING)}
  cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
  left join lateral (
    select org_auth_server_id from account_link
    where organization_id = asked.organization_id and user_id = asked.user_id
    limit 1
  ) l on true
),
left_stay as (
  delete from open_stay s
  using leaving f
  where ${IS_THE_STAY}
    and (s.person is null or f.linked is null or f.linked = s.person)
    and (f.tracking_mode = 'anonymous' or f.claimed is null
      or f.claimed = coalesce(f.linked, s.person, f.claimed))
    and coalesce(f.exited_at, s.entered_at) >= s.entered_at
  returning f.n, f.now, f.tracking_mode, f.linked, s.organization_id, s.place_id, s.id, s.person, s.entered_at,
    coalesce(f.exited_at, greatest(f.now, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select organization_id, place_id, id, person, entered_at, exited_at
  from left_stay
)`,
  moved: "select organization_id, place_id, exited_at - entered_at as stayed, now from left_stay",
  from: "left_stay",
  n: "-n",
  answers: { tracking_mode: "tracking_mode", linked: "linked", person: "person", entered_at: "entered_at" }
})

/**
 * The variant of a statement's part for one kind of movements: `none` where the batch has none of the kind, `anonymous` where no
 * person has to be looked up for any of them, else `identified`, which handles all movements.
 */
export type Variant = "none" | "anonymous" | "identified"

const VARIANTS = ["anonymous", "identified"] as const

const statementsOf = (form: Form): { readonly [variants: string]: string } => {
  const openingsAt = {
    anonymous: { part: anonymousOpenings(1, form), parameters: ANONYMOUS_OPENING.length },
    identified: { part: openings(1, form), parameters: OPENING.length + 1 }
  }
  const closingsFrom = (p: number) => ({ anonymous: anonymousClosings(p, form), identified: closings(p, form) })
  return Object.fromEntries(
    VARIANTS.flatMap((variant) => {
      const { part, parameters } = openingsAt[variant]
      return [
        [`${variant} none`, statement(form, part)],
        [`none ${variant}`, statement(form, closingsFrom(1)[variant])],
        ...VARIANTS.map((closing) => [
          `${variant} ${closing}`,
          statement(form, part, closingsFrom(parameters + 1)[closing])
        ])
      ]
    })
  )
}

const BATCHES = statementsOf(BATCH)
const SINGLES: typeof BATCHES = {
  ...statementsOf(SINGLE),
  "anonymous none": LONE_OPENING,
  "none anonymous": LONE_CLOSING
}

/**
 * The statement for a batch of entrances and exits; `isSingle` if there is one of each at most. The parameters are arrays, or
 * the values of the single movements, those of entrances first. All batches insert entrances before they close stays, which prevents
 * deadlocks. Neither part sees what the other writes.
 */
export const movementStatement = (opening: Variant, closing: Variant, isSingle: boolean): string =>
  (isSingle ? SINGLES : BATCHES)[`${opening} ${closing}`]!

/** Deletes a retry key that is expired: $3 the key, $4 the instant at and before which it was used. */
export const FORGET = `
delete from entrance_retry
where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $3::text and used_at <= $4::timestamptz`

/** Deletes at most $2 retry keys that were used at or before $1, and returns how many. */
export const FORGET_SOME = `
with forgotten as (
  delete from entrance_retry
  where ctid = any(array(select ctid from entrance_retry where used_at <= $1::timestamptz limit $2::bigint))
  returning 1
)
select count(*) as count from forgotten`

/** The facts and the stay, open or closed: $3 the stay, $4 the user. */
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
