/** Tests what counts as public, how missing tags are added, and that the workspace's packages have theirs. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
// @ts-expect-error The scripts have no types: they run on any Node, before anything is installed.
import { exportsOf } from "../public/exports.mjs"
// @ts-expect-error The same.
import { addTags, untagged } from "../public/tags.mjs"
import { root } from "./planted.ts"

const made = mkdtempSync(join(tmpdir(), "sojourn-public-"))
afterAll(() => rmSync(made, { recursive: true, force: true }))

const files = {
  "src/index.ts": `export * from "./a/Rule.ts"\nexport { part } from "./Parts.ts"\nexport { type Whole, whole } from "./Whole.ts"\n`,
  "src/a/Rule.ts": `/** Refuses. */\nexport class NotFound extends TaggedError("NotFound") {}\n\nexport function isRule(a: 1): 1\nexport function isRule(a: 2): 2\n`,
  "src/Parts.ts": `/**\n * A part.\n *\n * @since 0.0.1\n */\nexport const part = 1\n\nexport const hidden = 2\n`,
  "src/Whole.ts": `export interface Whole {}\n\nexport const whole = 1\n`,
  "src/Client.ts": `export const layerClient = 1\n`
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(made, path)), { recursive: true })
  writeFileSync(join(made, path), text)
}

const manifest = {
  name: "fixture",
  version: "0.1.0",
  exports: {
    "./client": { source: "./src/Client.ts", default: "./dist/Client.js" },
    "./gone": { source: "./src/Gone.ts", default: "./dist/Gone.js" }
  }
}

describe("the exports of a package", () => {
  it("are the index, the modules that it exports whole, and those that a manifest adds", () => {
    const exports: Record<string, unknown> = exportsOf(made, manifest)
    expect(Object.keys(exports)).toEqual(["./package.json", ".", "./Rule", "./Whole", "./client", "./internal/*"])
    expect(exports["./Rule"]).toEqual({ source: "./src/a/Rule.ts", default: "./dist/a/Rule.js" })
    expect(exports["./internal/*"]).toBe(null)
  })
})

describe("the tags of a package", () => {
  const wanted = { ...manifest, exports: exportsOf(made, manifest) }
  const names = () => untagged(made, wanted).map(({ name }: { readonly name: string }) => name)

  it("are missed of every name that can be imported, and of no other", () => {
    expect(names().toSorted()).toEqual(["NotFound", "Whole", "isRule", "layerClient", "part", "whole"])
  })

  it("are added once, below what a docstring says", () => {
    addTags(made, wanted)
    expect(names()).toEqual([])
    expect(readFileSync(join(made, "src/a/Rule.ts"), "utf8")).toBe(
      `/**\n * Refuses.\n *\n * @since 0.1.0\n * @category errors\n */\nexport class NotFound extends TaggedError("NotFound") {}\n\n/**\n * @since 0.1.0\n * @category guards\n */\nexport function isRule(a: 1): 1\nexport function isRule(a: 2): 2\n`
    )
    expect(readFileSync(join(made, "src/Parts.ts"), "utf8")).toContain(
      " * A part.\n *\n * @since 0.0.1\n * @category functions\n */\nexport const part = 1\n\nexport const hidden"
    )
  })
})

it("the packages of the workspace export their public modules, with tags: node scripts/public.mjs --write adds them", () => {
  expect(execFileSync(process.execPath, [join(root, "scripts/public.mjs")], { encoding: "utf8" })).toBe("")
})
