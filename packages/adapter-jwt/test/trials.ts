/** How properties are tried: from a fixed seed, or from SOJOURN_SEED; SOJOURN_RUNS_FACTOR times as often. */
const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)
const FACTOR = Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)

/** A failure prints the seed, what it shrank to, and how to replay it. */
export const trials = (runs = 300) => ({ arbitrary: { runs: Math.max(1, Math.round(runs * FACTOR)), seed: SEED } })
