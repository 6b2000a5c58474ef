import { fileURLToPath } from "node:url"

const runner = fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))
const ignorer = fileURLToPath(new URL("./namesForTypes.mjs", import.meta.url))

export default {
  mutate: ["packages/core/src/{domain,services}/**/*.ts"],
  plugins: [runner, ignorer],
  ignorers: ["names-for-types"],
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  incremental: true,
  incrementalFile: ".cache/mutation/incremental.json",
  tempDirName: ".cache/mutation/copy",
  ignorePatterns: ["/.cache", "/.changeset", "/.ci", "/benchmarks", "/docs", "/examples", "/tsconfig.json", "dist"],
  reporters: ["clear-text", "progress-append-only", "json", "html"],
  jsonReporter: { fileName: ".cache/mutation/report.json" },
  htmlReporter: { fileName: ".cache/mutation/report.html" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  packageManager: "pnpm",
  allowEmpty: false,
  thresholds: { high: 95, low: 90, break: null }
}
