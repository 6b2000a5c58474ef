/** The kinds of problems against the page that documents them. */
import { meaningOf, PROBLEM_URIS, type ProblemKind, PROBLEMS } from "@sojourn/adapter-http/api"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const PAGE = "../../../docs/problems.md"

it("docs/problems.md ends with the table of all kinds, which `vitest run -u` renews", async () => {
  const kinds = (Object.keys(PROBLEMS) as Array<ProblemKind>).map((kind) => {
    const name = PROBLEM_URIS[kind].replace("urn:sojourn:problem:", "")
    return [`\`${name}\``, String(PROBLEMS[kind][0]), meaningOf(kind)] as const
  })
  const rows = [["Name", "Status", "Meaning"] as const, ...kinds.sort(([a], [b]) => (a < b ? -1 : 1))]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`)
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`)
  const [text] = readFileSync(new URL(PAGE, import.meta.url), "utf8").split("| Name")
  await expect(`${text}${lines.join("\n")}\n`).toMatchFileSnapshot(PAGE)
})
