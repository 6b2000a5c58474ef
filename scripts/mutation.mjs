/**
 * Changes the rules and use cases of core in small ways, one at a time, with Stryker, and says which changes no test notices.
 * `npm run mutation` makes every change, words choose the files that have them in their paths, and `--since <commit>` those
 * that differ from a commit. What was tried before and has not changed since is not tried again; `--known` tries nothing, and
 * tells what is known. `--write` writes the table of docs/mutation.md.
 */
import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { percent, scores, writeDocument } from "./mutation/document.mjs"
import { groupOf, groups } from "./mutation/groups.mjs"
import { compareWith, forgetSurvivors, readReport, scoreOf } from "./mutation/report.mjs"
import { survivors } from "./mutation/survivors.mjs"
import { filesBelow } from "./workspace/fingerprint.mjs"
import { at, node, root } from "./workspace/paths.mjs"

/** What is asked of all files together, and of each. */
const LEAST = 90
const LEAST_OF_A_FILE = 80

const { values: options, positionals: words } = parseArgs({
  options: { since: { type: "string" }, known: { type: "boolean" }, write: { type: "boolean" } },
  allowPositionals: true
})

const filesSince = (commit) => {
  const git = spawnSync("git", ["diff", "--name-only", commit, "--", "packages/core/src"], {
    cwd: root,
    encoding: "utf8"
  })
  if (git.status !== 0) throw new Error(`git does not know ${commit}:\n${git.stderr}`)
  return git.stdout.split("\n")
}

const all = ["domain", "services"].flatMap((folder) => filesBelow(`packages/core/src/${folder}`))
const wanted = options.since === undefined ? all : filesSince(options.since)
const chosen = all.filter(
  (file) => wanted.includes(file) && (words.length === 0 || words.some((word) => file.includes(word)))
)
if (words.length > 0 && chosen.length === 0)
  throw new Error(`no rule and no use case is called like ${words.join(", ")}`)

const tryChanges = () => {
  const stryker = at("scripts", "mutation", "node_modules", "@stryker-mutator", "core", "bin", "stryker.js")
  for (const group of groups) {
    const files = chosen.filter((file) => groupOf(file) === group)
    if (files.length === 0) continue
    forgetSurvivors(group, files)
    const args = [stryker, "run", "scripts/mutation/stryker.config.mjs", "--mutate", files.join(",")]
    const env = { ...process.env, SOJOURN_MUTATION_GROUP: group.name }
    const { status } = spawnSync(node(), args, { cwd: root, stdio: "inherit", env })
    if (status !== 0) throw new Error(`Stryker failed (exit code ${status})`)
  }
}

/** Says how it went, and whether that is enough. */
const judge = () => {
  const report = readReport().filter(({ file }) => chosen.includes(file))
  const { score, scoreOfAll } = scoreOf(report.flatMap(({ mutants }) => mutants))
  const { unexplained, outdated } = compareWith(survivors, report)
  const weak = report.filter(({ mutants }) => scoreOf(mutants).score < LEAST_OF_A_FILE)
  console.log(scores(report))
  for (const { place, right, wrong } of unexplained)
    console.log(`no test notices, and none is explained: ${place}\n- ${right}\n+ ${wrong}`)
  for (const { file, right, wrong } of outdated) console.log(`explained, and noticed: ${file}\n- ${right}\n+ ${wrong}`)
  for (const { file } of weak) console.log(`under ${LEAST_OF_A_FILE} %: ${file}`)
  console.log(`${percent(score)} noticed; ${percent(scoreOfAll)} when what is left out counts as not noticed`)
  if (options.write) writeDocument(report)
  return unexplained.length + outdated.length + weak.length === 0 && (chosen.length < all.length || score >= LEAST)
}

if (chosen.length === 0) console.log("no rule and no use case was changed")
else {
  if (!options.known) tryChanges()
  process.exitCode = judge() ? 0 : 1
}
