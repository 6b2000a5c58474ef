/** Checks every code block of the documentation, and shows that planted faults are found. */
import { assert, beforeAll, describe, it } from "vitest"
import { allBlocks, type Block, blocksOf, checkedPages, type Fault } from "../blocks/Block.ts"
import { check, exceptions } from "../blocks/check.ts"

const PATIENCE = 900_000

/** A block of a page that is nowhere but here; its fence opens on line 3. */
const block = (language: string, text: string, before = ""): Block =>
  blocksOf("planted.md", `${before}\n\n\`\`\`${language}\n${text}\n\`\`\`\n`).blocks[0]!

const inOneLine = ({ line, message }: Fault): string => `${line} ${message.replaceAll("\n", " ")}`

describe("the code blocks of the documentation", () => {
  const { blocks, faults } = allBlocks()

  it("are of every page, and many", () => {
    assert.includeMembers([...checkedPages()], ["README.md", "docs/operations.md", "packages/core/README.md"])
    assert.isAbove(blocks.length, 50)
    assert.deepStrictEqual(faults, [])
  })

  it(
    "compile, run and parse",
    async () => {
      const found = await check(blocks)
      assert.deepStrictEqual(
        found.map(({ source, line, message }) => `${source}:${line}: ${message}`),
        []
      )
    },
    PATIENCE
  )

  it("are checked but for a few, with a reason each", () => {
    assert.isBelow(exceptions(blocks).length, blocks.length / 5)
  })
})

describe("a fault that is planted in a code block is seen", () => {
  const CURL = "curl http://127.0.0.1:8080/organization"
  const FAILING = 'import { assert, it } from "vitest"\nit("is two", () => assert.strictEqual(1, 2))'
  const PLANTED = (
    [
      ["a program that fails", block("ts", 'throw new Error("planted")'), /^3 it ends with 1/],
      ["a test that fails", block("ts", FAILING), /^3 its tests fail/],
      ["a flag that there is not", block("sh", "sojourn serve --stroage memory"), /^3 .*Unrecognized flag: --stroage/],
      [
        "a value of the wrong kind",
        block("sh", "sojourn token --kind pope --id tim"),
        /^3 .*Invalid value for flag --kind/
      ],
      ["a script that there is not", block("sh", "npm run no-such-script"), /^3 .*has no script no-such-script/],
      ["a file that there is not", block("sh", "node examples/none.ts"), /^3 .*there is no examples\/none\.ts/],
      ["a program that there is not", block("sh", "sojorn serve"), /^3 .*command not found/],
      ["words that are no shell", block("sh", "sojourn token --id 'tim"), /^3 .*unexpected EOF/],
      ["JSON that is none", block("json", "{ a: 1 }"), /^3 SyntaxError/],
      ["YAML that is none", block("yaml", "a: [1"), /^3 /],
      [
        "a column that there is not",
        block("sql", "select nothing from sojourn.stay;"),
        /^3 .*column "nothing" does not exist/
      ],
      ["a language that nothing checks", block("cobol", "STOP RUN."), /^3 nothing checks "cobol"/],
      ["a request that the server refuses", block("sh", CURL, "<!-- run -->"), /^3 it ends with 22/],
      ["a request that is not sent", block("sh", CURL), /^3 it calls a server/],
      [
        "a file that the server refuses",
        block("json", '{ "servers": 1 }', "<!-- is: directories.json -->"),
        /^3 .*the server ended with 1.*--directories/
      ]
    ] as const
  ).map(([name, planted, expected], index) => [name, { ...planted, source: `planted-${index}.md` }, expected] as const)
  let faults: ReadonlyArray<Fault> = []

  beforeAll(async () => {
    faults = await check(
      PLANTED.map(([, planted]) => planted),
      "planted"
    )
  }, PATIENCE)

  it.each(PLANTED)("%s", (_, planted, expected) => {
    const found = faults.filter(({ source }) => source === planted.source)
    assert.strictEqual(found.length, 1, found.map(inOneLine).join("\n"))
    assert.match(inOneLine(found[0]!), expected)
  })

  it(
    "a name that a package does not have",
    async () => {
      const [found] = await check([block("ts", '\nimport { Movement } from "@sojourn/core"')], "compiled")
      assert.match(inOneLine(found!), /^5 error TS/)
    },
    PATIENCE
  )

  it("a comment that means nothing, and a block without an end", () => {
    assert.match(blocksOf("a.md", "<!-- uncheked: x -->\n```ts\n```\n").faults[0]!.message, /says nothing here/)
    assert.match(blocksOf("a.md", "```ts\n").faults[0]!.message, /does not end/)
  })
})

describe("a code block", () => {
  it("has what is given before it, and no indentation of a list", () => {
    const page = "- item\n\n  <!-- given\n  const a = 1\n  -->\n\n  ```ts\n  console.log(a)\n  ```\n"
    const found = blocksOf("a.md", page).blocks[0]!
    assert.strictEqual(found.text, "console.log(a)")
    assert.strictEqual(found.marks.preamble, "const a = 1")
    assert.strictEqual(found.line, 7)
  })

  it("may be left out with a reason, which is listed", async () => {
    const left = [block("cobol", "STOP RUN.", "<!-- unchecked: no compiler at hand -->")]
    assert.deepStrictEqual(await check(left, "left"), [])
    assert.deepStrictEqual(exceptions(left), ["planted.md:3: unchecked: no compiler at hand"])
  })
})
