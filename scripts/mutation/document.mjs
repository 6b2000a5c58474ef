/** The tables of docs/mutation.md, which the results are written to. */
import { readFileSync, writeFileSync } from "node:fs"
import { at } from "../workspace/paths.mjs"
import { scoreOf } from "./report.mjs"

export const percent = (share) => `${share.toFixed(1)} %`

const short = (file) => file.replace("packages/core/src/", "")
const row = (...cells) => `| ${cells.join(" | ")} |`
const code = (text) => `\`${text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")}\``

/** The score of each file, and of all. */
export const scores = (report) => {
  const rows = report.map(({ file, mutants }) => [short(file), scoreOf(mutants)])
  rows.push(["all", scoreOf(report.flatMap(({ mutants }) => mutants))])
  return [
    row("File", "Changes", "Noticed", "Survived", "Left out", "Do not load", "Score", "With what is left out"),
    row("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:"),
    ...rows.map(([file, { mutants, killed, survived, leftOut, unloadable, score, scoreOfAll }]) =>
      row(file, mutants, killed, survived, leftOut, unloadable, percent(score), percent(scoreOfAll))
    )
  ].join("\n")
}

const explanations = (survivors) =>
  [
    row("File", "Right", "Changed to", "Why no test can tell, or none does"),
    row("---", "---", "---", "---"),
    ...survivors.map(({ file, right, wrong, why }) =>
      row(short(file), [right].flat().map(code).join(", "), [wrong].flat().map(code).join(", "), why)
    )
  ].join("\n")

/** Writes the tables between their marks. */
export const writeDocument = (report, survivors) => {
  const path = at("docs", "mutation.md")
  const put = (text, name, table) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < 0) throw new Error(`docs/mutation.md has lost its mark: ${begin}`)
    return `${text.slice(0, from + begin.length)}\n${table}\n\n${text.slice(to)}`
  }
  const text = readFileSync(path, "utf8")
  writeFileSync(path, put(put(text, "scores", scores(report)), "survivors", explanations(survivors)))
}
