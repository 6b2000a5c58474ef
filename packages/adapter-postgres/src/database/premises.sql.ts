/** Conditions of the statements of several stores. */

/** `o` is the organization $1, in which the place $2 exists; 0 stands for the organization as a whole. */
export const OF_PREMISES = `o.id = $1::bigint
  and ($2::bigint = 0 or exists (
    select from place where place.organization_id = $1::bigint and place.id = $2::bigint
  ))`

/**
 * Is the stay `s`, whose row is to be deleted, the one that the row `f` is about?
 *
 * A session keeps one plan. A plan that was made on an almost empty table could be a full scan, which compares each stay with
 * every `f` once the table has grown. Equality with an array of one element leaves the planner no plan but the key, as stays
 * cannot be merged in its order. Statements that only read have a `lateral` part for the same purpose.
 */
export const IS_THE_STAY =
  "s.organization_id = any(array[f.organization_id]) and s.place_id = f.place_id and s.id = f.stay_id"

/** The facts of a movement at the organization $1 and the place $2; no row where these premises do not exist. `user` is a parameter. */
export const factsFor = (user: string) => `
  select o.tracking_mode, l.org_auth_server_id as linked
  from organization o
  left join account_link l on l.organization_id = o.id and l.user_id = ${user}::text
  where ${OF_PREMISES}`
