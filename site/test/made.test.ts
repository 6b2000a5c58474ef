/** The pages that are made when the site is: the first one, the command line's and the changes. */
import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { homePage, pictures } from "../pages/home.ts"
import { writtenPages } from "../pages/pages.ts"
import { at, filesBelow } from "../pages/repository.ts"
import { address } from "../pages/sidebar.ts"
import { changesPage } from "../reference/changes.ts"
import { section, subcommands } from "../reference/commandLine.ts"

describe("the first page", () => {
  it("leads to three starts, which are pages", () => {
    const links = [...homePage().matchAll(/"link":"([^"]+)"/g)].map(([, link]) => link)
    assert.lengthOf(links, 3)
    assert.includeMembers(
      writtenPages().map(({ path }) => address(path)),
      links
    )
  })

  it("shows the pictures of the administrators' page that there are, and is whole without", () => {
    const light = "docs/images/page-light.png"
    assert.include(homePage([light]), `src="./${light}"`)
    assert.include(homePage([light, "docs/images/page-dark.png"]), 'srcset="./docs/images/page-dark.png"')
    assert.notInclude(homePage([]), "<picture>")
    for (const image of pictures())
      assert.include(
        filesBelow("docs/images", () => true),
        image
      )
  })
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
