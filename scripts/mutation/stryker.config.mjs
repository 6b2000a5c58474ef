/** The configuration of Stryker for one group of files (`groups.mjs`). */
import { fileURLToPath } from "node:url"
import { groupOfThisRun, resultsOf } from "./groups.mjs"

const runner = fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))
const group = groupOfThisRun()
const ignorer = fileURLToPath(new URL("./namesForTypes.mjs", import.meta.url))

export default {
  mutate: ["packages/core/src/{domain,services}/**/*.ts"],
  plugins: [runner, ignorer],
  ignorers: ["names-for-types"],
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A busy machine is no endless loop.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  incremental: true,
  incrementalFile: resultsOf(group),
  tempDirName: ".cache/mutation/copy",
  ignorePatterns: ["/.cache", "/.changeset", "/.ci", "/benchmarks", "/docs", "/examples", "/tsconfig.json", "dist"],
  reporters: ["progress-append-only", "html"],
  htmlReporter: { fileName: `.cache/mutation/${group.name}.html` },
  packageManager: "pnpm",
  allowEmpty: false,
  thresholds: { high: 95, low: 90, break: null }
}
