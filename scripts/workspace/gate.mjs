/**
 * The checks of the repository: `npm test` the quick ones, `npm run verify` those that take long, `npm run nightly` the
 * rest. Each runs one group after the other, up to the first in which one fails.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { at, node } from "./paths.mjs"
import { build } from "./build.mjs"
import { bundle } from "./bundle.mjs"
import { clientTypes } from "./clientTypes.mjs"
import { install } from "./install.mjs"
import { run, runTool } from "./processes.mjs"

const report = at(".cache", "vitest.json")

/** What vitest counted. A file that could not even be collected holds no test that failed, and counts as one. */
const counts = () => {
  if (!existsSync(report)) return { passed: 0, failed: 0 }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"))
  const broken = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
  )
  return { passed: numPassedTests, failed: numFailedTests + broken.length }
}

/** Runs the tests of a part, or those that the arguments name. */
const tests = async (part, args) => {
  mkdirSync(at(".cache"), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  // Tests that start the server as a process start what people run, which is quicker as well.
  const code = await runTool("vitest", ["run", ...reporters, ...args], {
    env: {
      SOJOURN_BUNDLE: await bundle(),
      ...(args.length === 0 && { SOJOURN_TESTS: part }),
      ...(part === "nightly" && { SOJOURN_RUNS_FACTOR: process.env.SOJOURN_RUNS_FACTOR ?? "4" })
    }
  })
  const counted = counts()
  const ok = code === 0 && counted.failed === 0 && counted.passed > 0
  if (code === 0 && counted.passed === 0) console.log("no test was executed")
  return { ...counted, ok }
}

/** The programs of `examples/`, besides its tests: `examples/<name>.ts`, `examples/<name>/main.ts` or `main.mjs` there. */
const examplePrograms = () =>
  readdirSync(at("examples"), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `examples/${entry.name}`
      return entry.isDirectory() ? [`${path}/main.ts`, `${path}/main.mjs`] : [path]
    })
    .filter((path) => /(?<!\.test|\.d|\.config)\.m?[tj]s$/.test(path) && existsSync(at(path)))
    .sort()

/** An example passes when it ends by itself with exit code 0; each counts as one test. */
const examples = async () => {
  let passed = 0
  let failed = 0
  const paths = examplePrograms().values()
  const runNext = async () => {
    const { value: path, done } = paths.next()
    if (done) return
    const code = await run(node(), ["--conditions=source", at(path)], {
      cwd: at("examples"),
      stdio: ["ignore", "inherit", "inherit"],
      timeout: 120_000
    })
    if (code === 0) passed++
    else failed++
    console.log(`${code === 0 ? "passed" : `failed with exit code ${code}`}: ${path}`)
    return runNext()
  }
  // Each of them waits for the server that it starts for some of its time.
  await Promise.all([runNext(), runNext()])
  return { passed, failed, ok: failed === 0 }
}

/** A check that counts nothing unless it fails. Its output goes to `stdio`. */
const check = (work) => async (stdio) => {
  const ok = (await work(stdio)) === 0
  return { passed: 0, failed: ok ? 0 : 1, ok }
}

const sources = ["packages", "examples", "benchmarks", "scripts", "site"]

const checkTool = (name, args, command = name) => check((stdio) => runTool(name, args, { command, stdio }))

const checkScript = (name, ...args) => check((stdio) => run(node(), [at("scripts", name), ...args], { stdio }))

const installing = [["install", check(() => install().then(() => 0))]]

/** The steps of one group run beside one another: each of them leaves a processor idle for much of its time. */
const quickGroups = (args) => [
  installing,
  [
    [
      "types",
      check(async (stdio) => (await clientTypes(stdio)) || runTool("typescript", ["-b"], { command: "tsc", stdio }))
    ],
    ["format", checkTool("oxfmt", ["--check"])],
    ["dependencies", checkScript("dependencies.mjs")]
  ],
  // After the types: imports of other packages resolve to what the compiler emits.
  [
    ["lint", checkTool("oxlint", ["--deny-warnings", "--report-unused-disable-directives"])],
    ["imports", checkTool("dependency-cruiser", ["--config", ".dependency-cruiser.mjs", ...sources], "depcruise")]
  ],
  [["bundle", check(() => bundle().then(() => 0))]],
  [["tests", () => tests("short", args)]],
  ...(args.length > 0 ? [] : [[["examples", examples]]])
]

const longGroups = [
  installing,
  [["build", check(build)]],
  // Both wait for much of their time, the tests for servers and browsers, the packages for their installation.
  [
    ["long tests", () => tests("long", [])],
    ["packages", checkScript("packages.mjs", "--short")]
  ]
]

/** Runs a step and says how it went; what it says itself it says at once when it is alone, and at its end beside others. */
const take = async ([name, step], isAlone) => {
  const words = at(".cache", `${name.replaceAll(" ", "-")}.log`)
  mkdirSync(at(".cache"), { recursive: true })
  const fd = isAlone ? undefined : openSync(words, "w")
  if (isAlone) console.log(`\n> ${name}`)
  const started = performance.now()
  const result = await step(isAlone ? "inherit" : ["ignore", fd, fd]).catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, ok: false }
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (!isAlone) {
    closeSync(fd)
    console.log(`\n> ${name}`)
    process.stdout.write(readFileSync(words))
  }
  console.log(`> ${name}: ${result.ok ? "ok" : "failed"} in ${seconds} s`)
  return result
}

/** Prints each step with its time, and last of all the line `N passed, N failed`. */
const runAll = async (groups) => {
  let passed = 0
  let failed = 0
  for (const group of groups) {
    const results = await Promise.all(group.map((step) => take(step, group.length === 1)))
    for (const result of results) {
      passed += result.passed
      failed += result.ok ? 0 : Math.max(result.failed, 1)
    }
    if (failed > 0) break
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** `npm test`. The arguments go to vitest, which then runs what they name and nothing else. */
export const gate = (args) => runAll(quickGroups(args))

/** `npm run verify`: what takes long, after `npm test`. */
export const verify = () => runAll(longGroups)

/** `npm run nightly`: what takes too long for every change. */
export const nightly = () =>
  runAll([installing, [["packages", checkScript("packages.mjs")]], [["nightly tests", () => tests("nightly", [])]]])
