/** How laws are checked: SOJOURN_SEED changes the random histories, and SOJOURN_RUNS_FACTOR multiplies their number. */
const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

export const lawOptions = {
  seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
  runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
}
