/** Tests the checks on packed packages with a correct package and with one planted fault at a time. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
// @ts-expect-error The scripts have no types: they run on any Node, before anything is installed.
import { faults } from "../packages/checks.mjs"
// @ts-expect-error The same.
import { bundling, importing } from "../packages/consumer.mjs"
import { root as workspace } from "./planted.ts"

const root = mkdtempSync(join(tmpdir(), "sojourn-packages-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Files = Record<string, string>

const manifest = {
  name: "@sojourn/fixture",
  version: "0.1.0",
  license: "MIT",
  repository: { type: "git", url: "git+https://forge.example/a/b.git" },
  files: ["dist"],
  type: "module",
  exports: { ".": { default: "./dist/index.js" } }
}

/** A package as it is published. */
const good: Files = {
  "package.json": JSON.stringify(manifest),
  LICENSE: "MIT\n",
  "dist/index.js": "export const answer = 42\n",
  "dist/index.d.ts": "export declare const answer: number\n"
}

const exporting = (target: object): Files => ({
  ...good,
  "package.json": JSON.stringify({ ...manifest, exports: { ".": target } })
})

const write = (name: string, files: Files) => {
  const folder = join(root, name.replaceAll(" ", "-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const packed = (name: string, files: Files) => {
  const { status, stderr } = spawnSync("tar", ["-czf", `../${name}.tgz`, "--transform=s,^[.],package,", "."], {
    cwd: write(name, files),
    encoding: "utf8"
  })
  expect([status, stderr]).toEqual([0, ""])
  return join(root, `${name}.tgz`)
}

it("finds nothing in a package that is as it should be", async () => {
  expect(await faults(packed("good", good))).toEqual([])
})

it.each([
  ["publint", exporting({ default: "./dist/index.js", types: "./dist/index.d.ts" }), /publint: .*types/],
  [
    "types",
    { ...exporting({ types: "./dist/index.d.cts", default: "./dist/index.js" }), "dist/index.d.cts": "export = 1\n" },
    /types: .*(CommonJS|CJS)/
  ],
  ["tests", { ...good, "dist/index.test.js": "" }, /contents: dist\/index\.test\.js/],
  ["secrets", { ...good, "dist/index.js": `// {"d":"${"a1".repeat(22)}"}\n` }, /contents: .*private JSON Web Key/]
])("sees a fault of %s", async (name, files, said) => {
  expect(await faults(packed(name, files))).toContainEqual(expect.stringMatching(said))
})

/** What is left of a folder once it has the program that imports. */
const folderOf = (name: string, text: string) => {
  const folder = write(name, { "it.mjs": text })
  cpSync(join(workspace, "scripts/packages/consumer/imports.mjs"), join(folder, "imports.mjs"))
  return { cwd: folder, path: [dirname(process.execPath)] }
}

it("says nothing of an import that only gives exports", async () => {
  await importing(["./it.mjs"], folderOf("quiet", "export const it = 1\n"))
})

it.each([
  ["prints", `console.log("hello")`],
  ["makes a global", `globalThis.mine = 1`],
  ["listens to the process", `process.on("exit", () => {})`],
  ["starts a timer", `setTimeout(() => {}, 50)`]
])("sees that an import %s", async (fault, text) => {
  await expect(importing(["./it.mjs"], folderOf(fault, text))).rejects.toThrow(/prints|ended with 1/)
})

it("sees that one rule brings more than it needs, or a module of Node", async () => {
  const project = (name: string, core: string) => {
    const texts = { core, client: "export const call = 1\n", tracker: "export const track = 1\n" }
    const modules = Object.entries(texts).flatMap(([one, text]) => [
      [`node_modules/@sojourn/${one}/package.json`, `{"name":"@sojourn/${one}","exports":"./index.js"}`],
      [`node_modules/@sojourn/${one}/index.js`, text]
    ])
    return write(name, Object.fromEntries(modules))
  }
  await bundling(project("light", "export const admit = 1\n"))
  const heavy = `const rest = "${"x".repeat(70_000)}"\nexport const admit = (at) => rest[at] + rest\n`
  await expect(bundling(project("heavy", heavy))).rejects.toThrow(/bundled to 7\d{4} bytes/)
  const ofNode = `import { readFileSync } from "node:fs"\nexport const admit = readFileSync\n`
  await expect(bundling(project("node", ofNode))).rejects.toThrow(/node:fs/)
})

/** The packages of the workspace, with the names of all that each needs. */
const dependencies = new Map(
  readdirSync(join(workspace, "packages")).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(workspace, "packages", folder, "package.json"), "utf8"))
    return [manifest.name as string, Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
  })
)

describe("the line that installs packed packages", () => {
  it.each([
    ["docs/start/embed.md", ["@sojourn/service", "@sojourn/adapter-memory"]],
    ["packages/adapter-postgres/README.md", ["@sojourn/service"]]
  ])("names in %s each package that another one needs", (page, names) => {
    const needed = new Set(names)
    // The loop meets what it adds.
    for (const name of needed) for (const one of dependencies.get(name)!) if (dependencies.has(one)) needed.add(one)
    const [, list] = /packages\/sojourn-\{([\w,-]+)\}-\*\.tgz/.exec(readFileSync(join(workspace, page), "utf8")) ?? []
    expect(list?.split(",").map((name) => `@sojourn/${name}`)).toEqual([...needed].toSorted())
  })
})
