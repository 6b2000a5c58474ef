/** The configuration of Stryker for one group (`groups.mjs`). */
import { fileURLToPath } from "node:url"
import { groupName, groups } from "./groups.mjs"

const { break: leastScore } = groups[groupName]

export default {
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A busy machine is no endless loop.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  incremental: true,
  incrementalFile: `.cache/mutation/${groupName}.json`,
  tempDirName: ".cache/mutation/copy",
  ignorePatterns: ["/.cache", "/.changeset", "/.ci", "/benchmarks", "/docs", "/examples", "/tsconfig.json", "dist"],
  reporters: ["progress-append-only", "clear-text", "html"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutation/${groupName}.html` },
  packageManager: "pnpm",
  allowEmpty: false,
  thresholds: { high: 95, low: leastScore, break: leastScore }
}
