/**
 * Parts of statements that record deltas of premises. A statement that opens or ends stays has one of them: the triggers on
 * `open_stay` record the deltas of statements that do not name the table.
 */

/** Records that the open stays of `ended` ended without an exit, at the parameter `at`. */
export const recordEnds = (ended: string, at: string): string => `
recorded as (
  insert into presence_delta (organization_id, place_id, departed, at)
  select organization_id, place_id, count(*), ${at}::timestamptz from ${ended} group by organization_id, place_id
)`
