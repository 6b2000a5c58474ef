/**
 * Parts of statements that record deltas of premises. A statement that opens or ends stays has one of them: the triggers on
 * `open_stay` record the deltas of statements that do not name the table.
 */

/**
 * Records movements, which are rows of the selects `moved`: `organization_id`, `place_id`, `stayed` (null: an entrance), `now`. There
 * is one delta for each premises of the batch.
 */
export const recordMovements = (moved: ReadonlyArray<string>): string => `
recorded as (
  insert into presence_delta (organization_id, place_id, entered, departed, exits, stayed, at)
  select organization_id, place_id, count(*) - count(stayed), count(stayed), count(stayed),
    coalesce((extract(epoch from sum(stayed)) * 1000)::bigint, 0), max(now)
  from (${moved.join(" union all ")}) moved
  group by organization_id, place_id
)`

/** Records that the open stays of `ended` ended without an exit, at the parameter `at`. */
export const recordEnds = (ended: string, at: string): string => `
recorded as (
  insert into presence_delta (organization_id, place_id, departed, at)
  select organization_id, place_id, count(*), ${at}::timestamptz from ${ended} group by organization_id, place_id
)`
