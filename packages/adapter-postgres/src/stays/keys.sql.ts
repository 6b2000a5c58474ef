/**
 * Is the stay `s`, whose row is to be deleted, the one that the row `f` is about?
 *
 * A session keeps one plan. A plan that was made on an almost empty table could be a full scan, which compares each stay with
 * every `f` once the table has grown. Equality with an array of one element leaves the planner no plan but the key, as stays
 * cannot be merged in its order. Statements that only read have a `lateral` part for the same purpose.
 */
export const IS_THE_STAY =
  "s.organization_id = any(array[f.organization_id]) and s.place_id = f.place_id and s.id = f.stay_id"
