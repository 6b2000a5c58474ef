import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Tests of the whole server run on the storage that SOJOURN_TEST_STORAGE names. Statuses are those of memory: the laws show that other
 * storages answer alike. `authorization.test.ts` has a request of every endpoint for every caller, and is their sample on PostgreSQL and, by
 * night, on cells; streams, displays, hostile requests and the model depend on the storage's timing and encoding, and run on PostgreSQL as well.
 */
const serverTests = (names: ReadonlyArray<string>) => names.map((name) => `packages/server/test/${name}.test.ts`)
const longOnMemory = serverTests(["abuse/areas", "abuse/musters", "abuse/times"])
const onMemory = [...serverTests(["statuses.*", "authorization", "fuzz"]), ...longOnMemory]
const onPostgres = serverTests([
  "authorization",
  "statuses.stream",
  "statuses.display",
  "fuzz",
  "model",
  "abuse/personalData"
])
const onCells = serverTests(["authorization"])

/**
 * Tests that take long by their nature: processes that are killed, databases that are made over and over, attacks, peers that hang,
 * browsers, benchmarks in their short form, long generated histories. `npm run verify` runs them; `npm test` runs all others.
 */
const long = [
  "benchmarks/test/**/*.test.ts",
  "examples/{phone-page/*,runtimes}.test.ts",
  "packages/adapter-ldap/test/HostileDirectories.test.ts",
  "packages/outbound/test/SystemResolver.test.ts",
  "packages/client/test/browser.test.ts",
  "packages/embedded-postgres/test/{Accounts,Crashes,EmbeddedPostgres,SharedServer}.test.ts",
  "packages/page/test/browser/*.test.ts",
  "packages/server/test/abuse/*.test.ts",
  "packages/server/test/{backup,commands,demo}.test.ts",
  "packages/server/test/cells/*.test.ts",
  "packages/server/test/faults/**/*.test.ts",
  "packages/server/test/graceful/{crowding,rolling,shutdown}.test.ts",
  "packages/server/test/identity/{checkIdentity,silence}.test.ts",
  "packages/server/test/proxy/*.test.ts",
  "packages/server/test/services/webhookRates.test.ts",
  "packages/server/test/telemetry/{dashboard,otlp}.test.ts",
  "packages/server/test/webhooks/deliveries.test.ts",
  "packages/server/test/workers/workers.test.ts",
  "packages/tracker/test/deliveries.test.ts",
  "scripts/test/{dependencies,processes}.test.ts",
  "site/test/{blocks,browser}.test.ts"
]

/**
 * Those of them that `npm run nightly` runs: benchmarks, the site and its blocks of code, accounts of the operating system, failovers, full
 * disks, proxies, and faults planted below kill cycles.
 */
const nightly = [
  "benchmarks/test/{buildings,compare,growth,live,readings,soak}.test.ts",
  "examples/runtimes.test.ts",
  "packages/embedded-postgres/test/{Accounts,Crashes,SharedServer}.test.ts",
  "packages/server/test/cells/lostCells.test.ts",
  "packages/server/test/faults/{failovers,feedSnapshots,fullDisk,plantedFaults}.test.ts",
  "packages/server/test/proxy/{nginx,patroni}.test.ts",
  "packages/server/test/telemetry/otlp.test.ts",
  "site/test/{blocks,browser}.test.ts"
]

/** Tests on the PostgreSQL of the run, and the long ones among them. `npm run nightly` sends the model four times as many commands. */
const ofStores = ["packages/adapter-postgres/test/**/*.test.ts", "packages/server/test/stores/**/*.test.ts"]
const longOfStores = [
  "packages/adapter-postgres/test/{backup,citus,migrated}.test.ts",
  "packages/server/test/stores/{citus,model,webhooks}.test.ts"
]
const nightlyOfStores = [
  "packages/server/test/stores/{cells,lawsAfterRollbacks,lawsInTransactions,lawsOneByOne,model}.test.ts"
]

/** Which tests a run is about: the `short` ones, the `long` ones, those of the `nightly` run, or all. */
const part = process.env.SOJOURN_TESTS
const isLong = part === "long"
const isShort = part === "short"
const isNightly = part === "nightly"
const unlessShort = isShort ? [...long, ...longOnMemory, ...longOfStores, ...nightlyOfStores] : []

/** Files that take longest. They start before all others, which would otherwise end and wait for them. */
const LONGEST = /\/(stores\/(laws|model)|faults\/killCycles)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: ReadonlyArray<TestSpecification>) {
    const sorted = await super.sort([...files])
    return sorted.toSorted((one, other) => +LONGEST.test(other.moduleId) - +LONGEST.test(one.moduleId))
  }
}

const postgres = { globalSetup: ["packages/server/test/stores/postgres.setup.ts"] }

/** Tests run on the sources: the `source` condition of each package's exports points there. */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  // Where vitest runs what it sets up before the tests.
  environments: { __vitest__: { resolve: { conditions: ["source"] } } },
  test: {
    // Many tests wait for processes: another worker has the time that they leave.
    maxWorkers: availableParallelism() + 1,
    // The files of a worker share its modules: importing Effect and the packages anew for each file takes a quarter of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    env: {
      // Servers that tests start and end have no balancer that has to notice; where that is the matter, tests say so.
      SOJOURN_DRAIN_DELAY: "0s",
      // The command line is started some hundred times: what was compiled once is taken from there.
      NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url))
    },
    // Only what hangs takes that long: some tests start twenty processes one after the other, for seconds each on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: "packages",
          include: isNightly
            ? nightly
            : isLong
              ? long
              : ["packages/*/test", "benchmarks/test", "examples", "scripts/test", "site/test"].map(
                  (folder) => `${folder}/**/*.test.ts`
                ),
          exclude: [
            "**/node_modules/**",
            ...onMemory,
            ...onPostgres,
            ...ofStores,
            ...unlessShort,
            ...(isLong ? nightly : [])
          ]
        }
      },
      {
        extends: true,
        test: {
          name: "memory",
          include: isNightly ? [] : isLong ? longOnMemory : onMemory,
          exclude: ["**/node_modules/**", ...unlessShort],
          env: { SOJOURN_TEST_STORAGE: "memory" }
        }
      },
      {
        extends: true,
        test: {
          ...postgres,
          name: "postgres",
          include: isNightly
            ? nightlyOfStores
            : [...(isShort ? [] : onPostgres), ...(isLong ? longOfStores : ofStores)],
          exclude: ["**/node_modules/**", ...unlessShort],
          env: { SOJOURN_TEST_STORAGE: "postgres" }
        }
      },
      {
        extends: true,
        test: {
          ...postgres,
          name: "cells",
          include: isShort || isLong ? [] : onCells,
          exclude: ["**/node_modules/**"],
          env: { SOJOURN_TEST_STORAGE: "postgres-cells" }
        }
      },
      ...(process.env.SOJOURN_CITUS_URL === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                ...postgres,
                name: "citus",
                include: onCells,
                exclude: ["**/node_modules/**"],
                env: { SOJOURN_TEST_STORAGE: "citus-cells" }
              }
            }
          ])
    ]
  }
})
