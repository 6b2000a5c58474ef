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

export const groups = {
  areas: {
    mutate: [`${core}/src/domain/geometry/*.ts`, `${core}/src/domain/{TrackingArea,AreaConstraints,Place}.ts`],
    tests: [`${core}/test/domain/TrackingArea{,.properties,.nearPairs}.test.ts`, `${core}/test/domain/AreaConstraints.test.ts`],
    break: 85
  },
  rules: {
    mutate: [`${core}/src/domain/{,geofence/}*.ts`, `!${core}/src/domain/{TrackingArea,AreaConstraints,Place}.ts`],
    tests: [`${core}/test/domain/!(TrackingArea*|Geofence.score).test.ts`],
    break: 85
  },
  services: {
    mutate: [`${core}/src/services/*.ts`],
    tests: [`${core}/test/services/*.test.ts`, `${services}/*.test.ts`, ...laws],
    break: 80
  },
  /** The laws and the model judge the stores: what they notice in memory they notice in every adapter. */
  stores: {
    mutate: ["packages/adapter-memory/src/*.ts"],
    tests: laws,
    break: 80
  },
  /** The gate's: a few rules and a store, in two minutes. */
  gate: {
    mutate: [`${core}/src/domain/{Stay,Capacity,PermissionLevel}.ts`],
    tests: [`${core}/test/domain/{Stay,Capacity,Permission,Administrator}.test.ts`],
    break: 90
  }
}

/** The group of this run of Stryker: its configuration and vitest's read the name from the environment. */
export const group = groups[process.env.SOJOURN_MUTATION_GROUP ?? "gate"]
