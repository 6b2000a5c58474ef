export { Random } from "@sojourn/testing"

/** How much is tried: SOJOURN_RUNS_FACTOR times as often, from a fixed seed or from SOJOURN_SEED. */
export const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)
export const runs = (count: number) => Math.max(1, Math.round(count * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)))
