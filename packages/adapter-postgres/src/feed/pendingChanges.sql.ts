/** Parts of statements that append pending changes of premises. Each statement that opens or ends stays has one of them. */

/**
 * Rows of the selects `moved` are movements: `organization_id`, `place_id`, `stayed` (null: an entrance), `is_anonymous`, `now`. `values`
 * are those of a change's columns after its premises.
 */
const append = (values: string, moved: ReadonlyArray<string>, grouped = ""): string => `
recorded as (
  insert into pending_change (organization_id, place_id, entered, departed, exits, stayed, at, is_anonymous)
  select organization_id, place_id, ${values}
  from (${moved.join(" union all ")}) moved${grouped}
)`

/** Appends movements as one change for each of their premises. */
export const appendMovements = (moved: ReadonlyArray<string>): string =>
  append(
    `count(*) - count(stayed), count(stayed), count(stayed),
    coalesce((extract(epoch from sum(stayed)) * 1000)::bigint, 0), max(now), is_anonymous`,
    moved,
    `
  group by organization_id, place_id, is_anonymous`
  )

/** Appends each movement as a change of its own. Aggregates would take PostgreSQL longer to set up than all else that it does for a change. */
export const appendEach = (moved: ReadonlyArray<string>): string =>
  append(
    `(stayed is null)::int, (stayed is not null)::int, (stayed is not null)::int,
    coalesce((extract(epoch from stayed) * 1000)::bigint, 0), now, is_anonymous`,
    moved
  )

/** Appends that the open stays of `ended` ended without an exit, at the parameter `at`. */
export const appendEnds = (ended: string, at: string): string => `
recorded as (
  insert into pending_change (organization_id, place_id, departed, at)
  select organization_id, place_id, count(*), ${at}::timestamptz from ${ended} group by organization_id, place_id
)`
