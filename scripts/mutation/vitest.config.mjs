import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import { groupName, groups } from "./groups.mjs"

const packages = fileURLToPath(new URL("../../packages", import.meta.url))

/** Tests that take long: a mutant ends at the first failure, so the others run first. */
const SLOW = /\/(TrackingArea\.properties\.test|model\.short)\.ts$/

class QuickFirst extends BaseSequencer {
  async sort(files) {
    const key = ({ moduleId }) => `${SLOW.test(moduleId) ? 1 : 0}${moduleId}`
    return files.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  }
}

/**
 * Quick tests, on stores in memory. Stryker runs them in a copy of the workspace, whose `node_modules` lead back to the sources without
 * mutants: so packages are imported by where they are in the copy.
 */
export default defineConfig({
  resolve: {
    conditions: ["source"],
    alias: [{ find: /^@sojourn\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` }]
  },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: groups[groupName].tests,
    env: { SOJOURN_ADAPTERS: "memory", SOJOURN_RUNS_FACTOR: "0.5", SOJOURN_SEED: "20260301" },
    sequence: { sequencer: QuickFirst },
    // The modules of a mutant are loaded once for all of its tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
