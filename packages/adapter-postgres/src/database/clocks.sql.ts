import { LARGEST_CLOCK_DIFFERENCE } from "@sojourn/core"

/** `LARGEST_CLOCK_DIFFERENCE`, as SQL. */
export const CLOCK_DIFFERENCE = `interval '${LARGEST_CLOCK_DIFFERENCE / 1000} seconds'`
