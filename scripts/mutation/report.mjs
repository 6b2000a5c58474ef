/** What Stryker found, by file, and the survivors without an explanation. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { at } from "../workspace/paths.mjs"
import { groups, resultsOf } from "./groups.mjs"

const KINDS = {
  Killed: "killed",
  Timeout: "killed",
  Survived: "survived",
  NoCoverage: "survived",
  Ignored: "leftOut",
  RuntimeError: "unloadable",
  CompileError: "unloadable"
}

const offsetOf = (lines, { line, column }) =>
  lines.slice(0, line - 1).reduce((length, { length: more }) => length + more + 1, 0) + column - 1

/** Every file that was changed, with each change: `right` became `wrong`. */
export const readReport = () =>
  groups
    .map((group) => at(resultsOf(group)))
    .filter((path) => existsSync(path))
    .flatMap((path) => Object.entries(JSON.parse(readFileSync(path, "utf8")).files))
    .map(([file, { source, mutants }]) => {
      const lines = source.split("\n")
      return {
        file,
        mutants: mutants.map(({ location: { start, end }, replacement, status }) => ({
          place: `${file}:${start.line}:${start.column}`,
          line: lines[start.line - 1].trim(),
          right: source.slice(offsetOf(lines, start), offsetOf(lines, end)),
          wrong: replacement,
          kind: KINDS[status]
        }))
      }
    })
    .filter(({ mutants }) => mutants.length > 0)
    .sort((one, other) => (one.file < other.file ? -1 : 1))

/**
 * Forgets that a change of these files survived, so that it is tried again. Stryker would not do that for what runs when a
 * module is loaded: it does not know which tests could have noticed.
 */
export const forgetSurvivors = (group, chosen) => {
  const path = at(resultsOf(group))
  if (!existsSync(path)) return
  const results = JSON.parse(readFileSync(path, "utf8"))
  for (const [file, { mutants }] of Object.entries(results.files)) {
    if (chosen.includes(file)) results.files[file].mutants = mutants.filter(({ status }) => status === "Killed")
  }
  writeFileSync(path, JSON.stringify(results))
}

const count = (mutants, kind) => mutants.filter((mutant) => mutant.kind === kind).length

/** The share of the changes that a test noticed, in percent. Those that no test could run with are in neither part. */
const score = (killed, survived) => (killed + survived === 0 ? 100 : (100 * killed) / (killed + survived))

/** How many changes of some files, or of one, came to which end. */
export const scoreOf = (mutants) => {
  const [killed, survived, leftOut, unloadable] = ["killed", "survived", "leftOut", "unloadable"].map((kind) =>
    count(mutants, kind)
  )
  return {
    mutants: mutants.length,
    killed,
    survived,
    leftOut,
    unloadable,
    score: score(killed, survived),
    scoreOfAll: score(killed, survived + leftOut)
  }
}

const explains = (file, mutant) => (survivor) =>
  survivor.file === file &&
  [survivor.right].flat().includes(mutant.right) &&
  [survivor.wrong].flat().includes(mutant.wrong) &&
  mutant.line.includes(survivor.on ?? "")

/** The survivors without an explanation, and the explanations without a survivor. */
export const compareWith = (survivors, report) => {
  const used = new Set()
  const unexplained = []
  for (const { file, mutants } of report) {
    for (const mutant of mutants.filter(({ kind }) => kind === "survived")) {
      const found = survivors.find(explains(file, mutant))
      if (found === undefined) unexplained.push(mutant)
      else used.add(found)
    }
  }
  const files = new Set(report.map(({ file }) => file))
  return { unexplained, outdated: survivors.filter((one) => files.has(one.file) && !used.has(one)) }
}
