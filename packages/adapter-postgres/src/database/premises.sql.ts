/** The condition that a statement on one organization begins with: its premises exist. It is the same in every store. */

/** `o` is the organization $1, in which the place $2 exists; 0 stands for the organization as a whole. */
export const OF_PREMISES = `o.id = $1::bigint
  and ($2::bigint = 0 or exists (
    select from place where place.organization_id = $1::bigint and place.id = $2::bigint
  ))`
