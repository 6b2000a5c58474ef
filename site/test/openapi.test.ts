/** Lints the served OpenAPI document, and checks the HTTP reference that is made of it. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { redocly } from "../openapi/redocly.ts"
import { document, operations } from "../reference/document.ts"
import { recorded } from "../reference/exchanges.ts"
import { referencePages } from "../reference/pages.ts"
import { type Running, startSojourn } from "../sojourn.ts"

let sojourn: Running
let served = ""

beforeAll(async () => {
  sojourn = await startSojourn()
  served = await (await fetch(`${sojourn.url}/openapi.json`)).text()
})
afterAll(() => sojourn[Symbol.asyncDispose]())

/** The served document with one thing changed. */
const planted = (change: (copy: any) => void): string => {
  const copy = JSON.parse(served)
  change(copy)
  return JSON.stringify(copy)
}

describe("the OpenAPI document that a server serves", () => {
  it("is the one that the reference is made of", () => {
    assert.deepStrictEqual(JSON.parse(served), JSON.parse(JSON.stringify(document)))
  })

  it("is clean for Redocly", async () => {
    assert.deepStrictEqual(await redocly(served), [])
  })
})

describe("faults that are planted in it", () => {
  it("are seen by Redocly: no description, a reference to nothing, and an example of another shape", async () => {
    const found = await redocly(
      planted(({ components, paths }) => {
        delete paths["/place"].post.description
        delete components.schemas.FavoriteDraft
        components.schemas.PlaceDraft.examples[0].organizationId = "one"
      })
    )
    const rules = ["no-invalid-schema-examples", "no-unresolved-refs", "operation-description"]
    assert.sameMembers([...new Set(found.map((line) => line.split(" ")[0]))], rules, found.join("\n"))
  })
})

describe("the HTTP reference", () => {
  const pages = referencePages()
  let examples: ReturnType<typeof referencePages> = []
  beforeAll(async () => {
    examples = referencePages(await recorded())
  })

  it("shows for every operation a request that was sent, and what was answered", () => {
    for (const [method, path] of operations(document)) {
      const section = examples
        .flatMap(({ text }) => text.split(/^(?=## )/m))
        .find((one) => one.includes(`\n\`${method} ${path}\`\n`))
      assert.match(section ?? "", /```sh\ncurl [\s\S]*\n```\n\nIt answered 2\d\d/, `${method} ${path}`)
    }
  })

  it("holds no credentials of these requests", () => {
    for (const { text } of examples) assert.notMatch(text, /Bearer ey/)
  })

  it("shows every operation once, with every status of it", () => {
    for (const [method, path, operation] of operations(document)) {
      const sections = pages
        .flatMap(({ text }) => text.split(/^(?=## )/m))
        .filter((section) => section.includes(`\n\`${method} ${path}\`\n`))
      assert.strictEqual(sections.length, 1, `${method} ${path}`)
      for (const status of Object.keys(operation.responses)) assert.include(sections[0], `\n| ${status} |`)
    }
  })

  it("has tables of nothing but rows, with as many cells as their heads", () => {
    for (const { path, text } of pages) {
      for (const table of text.matchAll(/(?:^\|.*\n)+(?!\|).*$/gm)) {
        const [head, ...rest] = table[0].split("\n")
        const cells = (row: string) => row.replaceAll("\\|", "").split("|").length
        for (const row of rest.slice(0, -1)) assert.strictEqual(cells(row), cells(head!), `${path}: ${row}`)
        assert.strictEqual(rest.at(-1), "", `${path}: what follows the table is a row of it`)
      }
    }
  })

  it("shows the examples of the shapes", () => {
    const shapes = pages.find(({ path }) => path === "reference/shapes.md")!.text
    const examples = Object.values(document.components.schemas).flatMap((schema) => schema.examples ?? [])
    assert.isAbove(examples.length, 20)
    for (const example of examples) assert.include(shapes, JSON.stringify(example, undefined, 2))
  })

  it("shows every shape, and links to no other", () => {
    const shapes = pages.find(({ path }) => path === "reference/shapes.md")!.text
    const shown = [...shapes.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!)
    assert.sameMembers(shown, Object.keys(document.components.schemas))
    const linked = pages.flatMap(({ text }) => [...text.matchAll(/shapes\.md#(\w+)/g)].map(([, name]) => name!))
    const anchors = shown.map((name) => name.toLowerCase())
    assert.deepStrictEqual(
      linked.filter((name) => !anchors.includes(name)),
      []
    )
  })
})
