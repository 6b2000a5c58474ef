/** Counts the work of relations. One unit is one pair of edges tried, or a step as cheap: a million are about 5 ms. */
export interface WorkMeter {
  work: number
}
