/**
 * What Stryker changes, and the tests that each change has to fail. A group is one run: a change is tried with the tests of its own
 * kind, so that a rule is not noticed only because some request over HTTP would notice.
 */
const core = "packages/core"
const services = "packages/server/test/services"
const laws = [
  "packages/server/test/stores/laws.test.ts",
  "packages/server/test/stores/sweeps.test.ts",
  `${services}/model.short.ts`
]
const areas = [`${core}/src/domain/**/geometry/*.ts`, `${core}/src/domain/**/{TrackingArea,AreaConstraints,Place}.ts`]

export const groups = {
  areas: {
    mutate: areas,
    // Without the heavy ones, which are about time.
    tests: [
      `${core}/test/domain/**/TrackingArea{,.properties,.nearPairs}.test.ts`,
      `${core}/test/domain/**/AreaConstraints.test.ts`
    ],
    break: 85
  },
  rules: {
    mutate: [`${core}/src/domain/**/*.ts`],
    except: areas,
    tests: [`${core}/test/domain/**/!(TrackingArea*|Geofence.score).test.ts`],
    break: 85
  },
  services: {
    mutate: [`${core}/src/services/**/*.ts`],
    tests: [`${core}/test/services/**/*.test.ts`, `${services}/**/*.test.ts`, ...laws],
    break: 80
  },
  // The laws and the model notice in PostgreSQL what they notice in memory. Those of rate limits stand in a file that needs PostgreSQL.
  stores: {
    mutate: ["packages/adapter-memory/src/**/*.ts"],
    except: ["**/RateLimitStore.ts"],
    tests: laws,
    break: 80
  }
}

/** The name of this run's group: the configurations of Stryker and vitest read it from the environment. */
export const groupName = process.env.SOJOURN_MUTATION_GROUP ?? "rules"
