import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { groupOfThisRun } from "./groups.mjs"
import { QuickFirst } from "./quickFirst.mjs"

const packages = fileURLToPath(new URL("../../packages", import.meta.url))
const { tests, without } = groupOfThisRun()

/**
 * The tests that mutants of core meet: the quick ones, on stores in memory. Stryker runs them in a copy of the workspace, whose
 * `node_modules` lead back to the sources without mutants: so packages are imported by where they are in the copy.
 */
export default defineConfig({
  resolve: {
    conditions: ["source"],
    alias: [{ find: /^@sojourn\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` }]
  },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: [...tests],
    exclude: ["**/node_modules/**", ...without],
    env: { SOJOURN_ADAPTERS: "memory", SOJOURN_RUNS_FACTOR: "0.5", SOJOURN_SEED: "20260301" },
    sequence: { sequencer: QuickFirst },
    // The modules of a mutant are loaded once for all of its tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
