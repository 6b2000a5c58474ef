/**
 * Shows that the tests see: plants wrong rules and wrong adapters one at a time, in a copy of the workspace, and proves that
 * some test fails on each. `npm run mutants` plants all of them; a number plants that many, spread over the list, and a text
 * those with the text in their names.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { wrongRules } from "./mutants/wrong-rules.mjs"
import { node, root, tool } from "./workspace/paths.mjs"

const asked = process.argv[2] ?? String(wrongRules.length)
const wanted = /^\d+$/.test(asked) ? Number(asked) : wrongRules.length
const chosen = wrongRules
  .filter(({ name }) => /^\d+$/.test(asked) || name.includes(asked))
  .filter((_, i) => Math.floor((i * wanted) / wrongRules.length) !== Math.floor(((i - 1) * wanted) / wrongRules.length))
if (chosen.length === 0) throw new Error(`nothing to plant: ${asked}`)

const copy = mkdtempSync(path.join(tmpdir(), "sojourn-mutants-"))
const skipped = new Set(["dist", ".cache"])
for (const entry of ["packages", "package.json", "tsconfig.base.json", "vitest.config.ts"]) {
  cpSync(path.join(root, entry), path.join(copy, entry), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !skipped.has(path.basename(source))
  })
}
// The workspace's own packages, which tests find here, are those of the copy: their links are relative.
mkdirSync(path.join(copy, "node_modules"))
for (const entry of readdirSync(path.join(root, "node_modules"))) {
  const [from, to] = [path.join(root, "node_modules", entry), path.join(copy, "node_modules", entry)]
  if (entry === "@sojourn") cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  else symlinkSync(from, to)
}

const report = path.join(copy, "report.json")

/** Do all tests under these folders pass? It is an error when there was none. */
const passes = (tests) => {
  const options = ["--bail", "1", "--reporter", "json", "--outputFile", report]
  const run = spawnSync(node(), [tool("vitest"), "run", ...options, ...tests], { cwd: copy, encoding: "utf8" })
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"))
  rmSync(report)
  if (numPassedTests + numFailedTests === 0) throw new Error(`no test ran:\n${run.stdout}\n${run.stderr}`)
  return run.status === 0
}

const survivors = []
try {
  const suites = [...new Set(chosen.flatMap(({ tests }) => tests))]
  if (!passes(suites)) throw new Error("the tests fail before anything is planted")
  for (const { name, file, right, wrong, tests } of chosen) {
    const target = path.join(copy, file)
    const source = readFileSync(target, "utf8")
    if (source.split(right).length !== 2) throw new Error(`${file} does not hold this exactly once: ${right}`)
    writeFileSync(
      target,
      source.replace(right, () => wrong)
    )
    const survived = passes(tests)
    writeFileSync(target, source)
    console.log(`${survived ? "SURVIVED" : "killed  "} ${name}`)
    if (survived) survivors.push(name)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} wrong rules killed`)
process.exitCode = survivors.length === 0 ? 0 : 1
