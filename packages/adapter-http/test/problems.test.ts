/** The kinds of problems against the page that documents them. */
import { assert, it } from "@effect/vitest"
import { PROBLEM_URIS, type ProblemKind, PROBLEMS } from "@sojourn/adapter-http/api"
import { readFileSync } from "node:fs"

it("docs/problems.md lists every kind with its status and meaning, in order, and no other", () => {
  const page = readFileSync(new URL("../../../docs/problems.md", import.meta.url), "utf8")
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (\d+) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells)
  const kinds = Object.entries(PROBLEMS).map(([kind, [status, meaning]]) => [
    PROBLEM_URIS[kind as ProblemKind].replace("urn:sojourn:problem:", ""),
    String(status),
    meaning
  ])
  assert.deepStrictEqual(rows, kinds)
})
