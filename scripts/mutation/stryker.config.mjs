/** The configuration of Stryker for one group (`groups.mjs`). */
import { fileURLToPath } from "node:url"
import { group } from "./groups.mjs"

const name = process.env.SOJOURN_MUTATION_GROUP ?? "gate"

export default {
  mutate: group.mutate,
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A busy machine is no endless loop.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  incremental: true,
  incrementalFile: `.cache/mutation/${name}.json`,
  tempDirName: ".cache/mutation/copy",
  ignorePatterns: ["/.cache", "/.changeset", "/.ci", "/benchmarks", "/docs", "/examples", "/tsconfig.json", "dist"],
  reporters: ["progress-append-only", "clear-text", "html"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  packageManager: "pnpm",
  allowEmpty: false,
  thresholds: { high: 95, low: group.break, break: group.break }
}
