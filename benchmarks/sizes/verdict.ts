import { changes, faults } from "../growth/Verdict.ts"
import type { Weighed } from "./weigh.ts"

/**
 * How much more than at the smallest size a movement may cost at the largest. Sizes grow up to ten thousand times: one more
 * level of an index, and rows that no processor's cache holds, cost something; what looks through them all costs thousands.
 */
export const BOUND = 2

/** What is wrong: each movement that took PostgreSQL more processor time than that. */
export const grown = (weighed: ReadonlyArray<Weighed>): ReadonlyArray<string> =>
  faults(changes(weighed), { flat: BOUND })
