/**
 * Is the stay `s`, whose row is to be deleted, the one that the row `f` is about?
 *
 * A plan is made once and kept. One that was made while there were next to no stays would read all of them later, and compare
 * each with every `f`. Equality with an array of one leaves the planner no other way than the key: by it, stays cannot be put
 * in the order of the others, and so reading all of them is of no use. Where rows are only read, a `lateral` part that cannot
 * be joined in another order does the same.
 */
export const IS_THE_STAY =
  "s.organization_id = any(array[f.organization_id]) and s.place_id = f.place_id and s.id = f.stay_id"
