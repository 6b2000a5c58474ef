/** Checks the pages: links, anchors, titles, the sidebar, what the specification and the architecture name, and where sources cite it. */
import { assert, describe, it } from "vitest"
import { anchors, headings, ownAnchors, slugify, withoutCode } from "../pages/headings.ts"
import { follow, linksOf, mapLinks } from "../pages/links.ts"
import { writtenPages } from "../pages/pages.ts"
import { filesBelow, isFile, read } from "../pages/repository.ts"
import { address, sidebar } from "../pages/sidebar.ts"

const pages = writtenPages()
const bySource = new Map(pages.map((page) => [page.source, page]))

describe("the pages", () => {
  it("are all of docs, the README of every package, and each at a path of its own", () => {
    const markdown = filesBelow("docs", (path) => path.endsWith(".md"))
    const readmes = filesBelow("packages", (path) => /^packages\/[^/]+\/README\.md$/.test(path))
    assert.isAbove(markdown.length, 10)
    assert.includeMembers([...bySource.keys()], [...markdown, ...readmes, "README.md", "CONTRIBUTING.md"])
    assert.strictEqual(new Set(pages.map(({ path }) => path)).size, pages.length)
  })

  it("all stand in the sidebar, once: a new page gets its place in site/pages/sidebar.ts", () => {
    const links = sidebar().flatMap(({ items }) => items.map(({ link }) => link))
    assert.strictEqual(new Set(links).size, links.length)
    for (const { path, source } of pages) assert.include(links, address(path), source)
  })

  it.each(pages.map(({ source }) => source))(
    "%s: every link leads somewhere, to a heading where it names one",
    (source) => {
      for (const link of linksOf(read(source))) {
        const target = follow(source, link, bySource)
        if (target._tag === "Page" && target.anchor !== "") {
          assert.include([...anchors(read(target.page.source))], target.anchor, `${source}: ${link}`)
        }
      }
    }
  )

  it("hold no link that is dead on a forge: each leads to a file of the repository", () => {
    assert.throws(() => follow("docs/http.md", "no-such-page.md", bySource), /leads nowhere/)
    assert.throws(() => follow("README.md", "packages/core/src/none.ts", bySource), /leads nowhere/)
  })
})

describe("reading a page", () => {
  it("finds headings and links outside of code alone", () => {
    const text =
      "# One `two`\n\n```sh\n# not one\n[no](link.md)\n```\n\n[yes](a.md#b) ![image](c.svg) [out](https://x.org)\n"
    assert.deepStrictEqual(headings(text), ["One two"])
    assert.deepStrictEqual(linksOf(text), ["a.md#b", "c.svg"])
    assert.include(
      mapLinks(text, () => "new"),
      "[no](link.md)"
    )
    assert.strictEqual(withoutCode(text).split("\n").length, text.split("\n").length)
  })

  it("finds links whose words go on in the next line", () => {
    assert.deepStrictEqual(linksOf("See [decision\n0001](a.md), and [this](b.md).\n"), ["a.md", "b.md"])
  })

  it("makes anchors as forges do", () => {
    assert.strictEqual(slugify("What is stored, and about `whom`?"), "what-is-stored-and-about-whom")
    assert.deepStrictEqual([...anchors("# A b\n## A b\n")], ["a-b", "a-b-1"])
  })
})

/** The pages of the specification: `stays` and its text. */
const specification = filesBelow("docs/specification", (path) => path.endsWith(".md")).map(
  (path) => [path.replace(/^.*\/|\.md$/g, ""), read(path)] as const
)

/** The rows of the tables of rules of the specification, each as its cells. */
const rules = specification.flatMap(([, text]) =>
  text
    .split("\n\n")
    .filter((block) => /^\| Rule +\| Refusal +\| Decided by +\| Test +\|\n/.test(block))
    .flatMap((table) => table.trim().split("\n").slice(2))
    .map((line) => line.slice(2, -2).split(" | "))
)

describe("the anchors of the specification", () => {
  it.each(specification)("%s: each anchor names one rule", (_, text) => {
    const own = ownAnchors(text)
    assert.strictEqual(new Set(own).size, own.length)
    for (const id of own) assert.match(id, /^[a-z][a-z0-9-]*$/)
  })

  it("stand at the beginning of each rule with a test", () => {
    for (const [rule] of rules) assert.match(rule!, /^<a id="[a-z0-9-]+"><\/a>\S/)
  })
})

/** The rules that a text cites: `(spec: stays#retry, keys#retry-key)`. */
const citations = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bspec:(?:\n *\*)? ([\w-]+#[\w-]+(?:, [\w-]+#[\w-]+)*)/g)].flatMap(([, cited]) =>
    cited!.split(", ")
  )

describe("the rules that sources cite", () => {
  const known = new Set(
    specification.flatMap(([page, text]) => [...anchors(text)].map((anchor) => `${page}#${anchor}`))
  )
  const sources = filesBelow("packages", (path) => /^packages\/[^/]+\/(src|test)\/.*\.tsx?$/.test(path))

  it("are found in comments", () => {
    assert.deepStrictEqual(citations("An exit (spec: stays#retry, keys#retry-key)."), ["stays#retry", "keys#retry-key"])
    assert.isTrue(known.has("stays#retry"))
    assert.isFalse(known.has("stays#no-such-rule"))
  })

  it("exist, in the form `(spec: page#anchor)`", () => {
    let cited = 0
    for (const source of sources) {
      const text = read(source)
      for (const citation of citations(text)) {
        assert.isTrue(known.has(citation), `${source}: docs/specification has no ${citation}`)
        cited++
      }
      assert.notMatch(
        text,
        /\b(?:contract|interface|live|reliability)(?:\.md)?, (?:sections? \d|small print|T\d)/,
        source
      )
    }
    assert.isAbove(cited, 100)
  })
})

/** The abbreviated folders of the specification. Other paths begin at the root of the repository. */
const FOLDERS: ReadonlyArray<readonly [prefix: string, folder: string]> = [
  ["domain/", "packages/core/src/domain/"],
  ["services/", "packages/core/src/services/"],
  ["postgres/", "packages/adapter-postgres/src/"],
  ["laws/", "packages/testing/src/laws/"],
  ["test/", "packages/core/test/domain/"],
  ["packages/", "packages/"]
]
const inRepository = (file: string) => {
  const [prefix, folder] = FOLDERS.find(([prefix]) => file.startsWith(prefix))!
  return folder + file.slice(prefix.length)
}

/** A row names what decides as `name`, `name` (`file`); `name` (`file`). */
describe("what the specification says that decides", () => {
  const NAMES = /^((?:`\w+`(?:, )?)+) \(`((?:domain|services|postgres|packages)\/[^`]+\.ts)`\)$/
  /** A function, class, type or statement; a member of an object; or a key of the schema. */
  const declares = (text: string, name: string) =>
    new RegExp(
      `\\b(?:const|class|interface|type|constraint|index) ${name}\\b|^ +(?:readonly |private )?${name}(?:: |\\()`,
      "m"
    ).test(text)

  it("is found by its declaration", () => {
    assert.isTrue(declares("export const settle = (", "settle"))
    assert.isTrue(declares("  recognize: (premises, text) => {", "recognize"))
    assert.isTrue(declares("name text constraint organization_name unique", "organization_name"))
    assert.isFalse(declares('import { settle } from "./Stay.ts"\nsettle(facts)', "settle"))
    assert.isFalse(declares("const settled = 1", "settle"))
  })

  it("stands in each of many rows", () => {
    assert.isAbove(rules.length, 190)
    for (const cells of rules) assert.lengthOf(cells, 4)
  })

  it.each(rules.map(([rule, , decides]) => [rule!.replace(/<[^>]*>/g, "").trim(), decides!.trim()] as const))(
    "%s: %s",
    (_, decides) => {
      for (const part of decides.split("; ")) {
        const [, names, file] = NAMES.exec(part) ?? []
        assert.isDefined(file, `"${part}" is not \`name\` (\`file\`)`)
        const path = inRepository(file!)
        assert.isTrue(isFile(path), path)
        for (const [, name] of names!.matchAll(/`(\w+)`/g)) {
          assert.isTrue(declares(read(path), name!), `${path} does not declare ${name}`)
        }
      }
    }
  )
})

/** A row names its tests as `file` "name", "name": `...` stands for what is left out or differs. */
describe("the tests that the specification and the ports name", () => {
  const named = rules.flatMap(([, , , cell]) =>
    [...cell!.matchAll(/`((?:laws|test|packages)\/[^`]*\.ts)`((?:[,;]? "[^"]*")*)/g)].map(
      ([, file, names]) => [file!, [...names!.matchAll(/"([^"]*)"/g)].map(([, name]) => name!)] as const
    )
  )
  /** Words in order: a test's name may be put together of several, and `%s` of a table stands for any. */
  const contains = (text: string, name: string) =>
    name
      .split("...")
      .map((part) => part.trim().replace(/\.$/, ""))
      .filter((part) => part !== "")
      .every((part) => text.includes(part) || text.replaceAll(/\$\{[^}]*\}|%s|\$\w+/g, "").includes(part))

  it("are many", () => assert.isAbove(named.length, 200))

  it("are looked for by their words", () => {
    const text = 'it("no person leaves before they entered", () => {})'
    assert.isTrue(contains(text, "no person leaves ..."))
    assert.isFalse(contains(text, "no person enters before they left"))
  })

  it.each(named.map(([file, names]) => [file, names.join(", "), names] as const))("%s %s", (file, _, names) => {
    const path = inRepository(file)
    assert.isTrue(isFile(path), path)
    for (const name of names) assert.isTrue(contains(read(path), name), `${path} has no test "${name}"`)
  })

  /** Ports name the laws that prove an operation as a row names its tests, by files below `laws/`. */
  const laws = filesBelow("packages/core/src/ports", (path) => path.endsWith(".ts")).flatMap((port) =>
    [
      ...read(port)
        .replaceAll(/\n *\* /g, " ")
        .matchAll(/`(\w+\/[\w/]+\.ts)`((?:,? "[^"]*")+)/g)
    ].map(
      ([, file, names]) => [port, `laws/${file}`, [...names!.matchAll(/"([^"]*)"/g)].map(([, name]) => name!)] as const
    )
  )

  it("are many in the docstrings of ports", () => assert.isAbove(laws.length, 50))

  it.each(laws)("%s: %s", (_, file, names) => {
    const path = inRepository(file)
    assert.isTrue(isFile(path), path)
    for (const name of names) assert.isTrue(contains(read(path), name), `${path} has no law "${name}"`)
  })
})

/** A row of docs/architecture.md names a port and its operations: | `Port` | what it keeps | `one`, `two` | */
describe("the ports that docs/architecture.md lists", () => {
  const PORT = /^export (?:class|const) (\w+)\b[^\n]* (?:extends )?Context\.(?:Service|Reference)</m
  const operationsOf = (text: string) =>
    [...text.slice(text.search(PORT)).matchAll(/^ {4}readonly (\w+): /gm)].map(([, name]) => name!)
  const architecture = read("docs/architecture.md")
  const listed = [...architecture.matchAll(/^\| `(\w+)` +\| [^|]* \| ((?:`\w+`(?:, )?)+) +\|/gm)].map(
    ([, port, operations]) => [port!, [...operations!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).sort()] as const
  )
  const ports = filesBelow("packages/core/src/ports", (path) => path.endsWith(".ts")).flatMap((path) => {
    const [, name] = PORT.exec(read(path)) ?? []
    return name === undefined ? [] : [[name, read(path)] as const]
  })

  it("are all ports, each once", () => {
    assert.isAbove(ports.length, 15)
    assert.sameMembers(
      listed.map(([name]) => name),
      ports.map(([name]) => name)
    )
  })

  it.each(ports.filter(([, text]) => text.includes("Context.Service<")))("%s has these operations", (name, text) => {
    assert.deepStrictEqual(new Map(listed).get(name), [...operationsOf(text)].sort())
  })

  it.each(ports)("%s: each operation has a docstring", (_, text) => {
    const declared = [...text.slice(text.search(PORT)).matchAll(/^(.*)\n {4}readonly (\w+): /gm)]
    for (const [, before, operation] of declared) assert.match(before!, /\*\/$/, operation)
  })
})
