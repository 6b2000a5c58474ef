/** The table of docs/mutation.md, which the results are written to. */
import { readFileSync, writeFileSync } from "node:fs"
import { at } from "../workspace/paths.mjs"
import { scoreOf } from "./report.mjs"

export const percent = (share) => `${share.toFixed(1)} %`

const short = (file) => file.replace("packages/core/src/", "")
const row = (...cells) => `| ${cells.join(" | ")} |`

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

/** Writes the table between its marks. */
export const writeDocument = (report) => {
  const path = at("docs", "mutation.md")
  const [begin, end] = ["<!-- scores -->\n", "<!-- end of scores -->"]
  const text = readFileSync(path, "utf8")
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`docs/mutation.md has lost its mark: ${begin}`)
  writeFileSync(path, `${text.slice(0, from + begin.length)}\n${scores(report)}\n\n${text.slice(to)}`)
}
