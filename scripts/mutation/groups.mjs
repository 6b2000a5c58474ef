/**
 * Which tests the changes of a file meet: those of its own kind, so that a change is not tried with tests that are about
 * something else. Each group is a run of Stryker, with results of its own.
 */
const core = "packages/core/test"
const services = "packages/server/test/services"

export const groups = [
  {
    name: "areas",
    holds: /\/domain\/(geometry\/|TrackingArea|AreaConstraints|Place\.)/,
    tests: [`${core}/domain/TrackingArea*.test.ts`, `${core}/domain/AreaConstraints.test.ts`],
    // They are about time, which counting what tests reach takes much of.
    without: [`${core}/domain/TrackingArea.heavy.test.ts`]
  },
  {
    name: "rules",
    holds: /\/domain\//,
    tests: [`${core}/domain/*.test.ts`],
    without: [`${core}/domain/TrackingArea*.test.ts`, `${core}/domain/Geofence.score.test.ts`]
  },
  {
    name: "services",
    holds: /\/services\//,
    tests: [
      `${core}/services/*.test.ts`,
      `${services}/*.test.ts`,
      "packages/server/test/stores/laws.test.ts",
      "packages/server/test/stores/sweeps.test.ts",
      `${services}/model.short.ts`
    ],
    without: []
  }
]

export const groupOf = (file) => groups.find(({ holds }) => holds.test(file))

/** The group of this run of Stryker, which its configuration and vitest's are told by its name. */
export const groupOfThisRun = () => groups.find(({ name }) => name === process.env.SOJOURN_MUTATION_GROUP) ?? groups[0]

/** Stryker adds to it from run to run: it holds what is known of every file of the group. */
export const resultsOf = ({ name }) => `.cache/mutation/${name}.json`
