import { LARGEST_CLOCK_DIFFERENCE_MS } from "@sojourn/core"

/** `LARGEST_CLOCK_DIFFERENCE_MS`, as SQL. */
export const CLOCK_DIFFERENCE = `interval '${LARGEST_CLOCK_DIFFERENCE_MS / 1000} seconds'`
