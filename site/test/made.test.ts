/** The pages that are made when the site is: the first one, the command line's and the changes. */
import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { llmsText, summaryOf } from "../pages/llms.ts"
import { HOME, writtenPages } from "../pages/pages.ts"
import { at, read } from "../pages/repository.ts"
import { address } from "../pages/sidebar.ts"
import { changesPage } from "../reference/changes.ts"
import { section, subcommands } from "../reference/commandLine.ts"

it("the first page leads to three starts, which are pages", () => {
  const links = [...read(HOME.source).matchAll(/^ {4}link: (.+)$/gm)].map(([, link]) => link)
  assert.lengthOf(links, 3)
  assert.includeMembers(
    writtenPages().map(({ path }) => address(path)),
    links
  )
})

const HELP = `DESCRIPTION
  Does some work

USAGE
  sojourn work <subcommand> [flags]

FLAGS
  --data string    Where (SOJOURN_DATA)

GLOBAL FLAGS
  --help, -h    Show help information

SUBCOMMANDS
  show-it    Shows it
  set        Changes it`

describe("the reference of the command line", () => {
  it("finds the commands below a command, if there are any", () => {
    assert.deepStrictEqual(subcommands(HELP), ["show-it", "set"])
    assert.deepStrictEqual(subcommands(HELP.slice(0, HELP.indexOf("SUBCOMMANDS"))), [])
  })

  it("has what a command says of itself, without what all have", () => {
    const text = section(["work"], HELP)
    assert.match(text, /^## sojourn work\n\nDoes some work\.\n/)
    for (const line of ["sojourn work <subcommand>", "--data string", "show-it"]) assert.include(text, line)
    assert.notInclude(text, "--help")
  })
})

it("the changes have every changeset, and the log of every package that has one", () => {
  const text = changesPage()
  const points = [...text.split("\n## @")[0]!.matchAll(/^- \*\*[\w, -]+\*\*: /gm)]
  const changesets = readdirSync(at(".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md")
  assert.lengthOf(points, changesets.length)
  assert.match(text, /^## @sojourn\/core$/m)
})

describe("llms.txt", () => {
  it("has every page once, those of the sidebar's open groups first", () => {
    const text = llmsText([{ path: "reference/typescript/core/index.md", title: "@sojourn/core", text: "" }], "/base/")
    const links = [...text.matchAll(/^- \[[^\]]+\]\(\/base(\/[^)]*?)(?:\.html)?\)/gm)].map(([, link]) => link!)
    assert.strictEqual(new Set(links).size, links.length)
    assert.includeMembers(links, [...writtenPages().map(({ path }) => address(path)), "/reference/typescript/core/"])
    assert.match(text, /^# Sojourn\n\n> /)
    assert.isBelow(text.indexOf("start/embed"), text.indexOf("## Optional"))
    assert.isAbove(text.indexOf("decisions/0009"), text.indexOf("## Optional"))
  })

  it("says what a page is about with its first sentence", () => {
    const page = "# A\n\n<!-- x -->\n\n| a |\n\nAn `op` of [one](b.md) in\nthe system. More.\n"
    assert.strictEqual(summaryOf(page), "An op of one in the system.")
    assert.strictEqual(summaryOf("# 0001: A\n\nAccepted 2026-11-21.\n\n## Decision\n\n- x\n"), "")
  })
})
