/** Tests the checks on packed packages with a correct package and with one planted fault at a time. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"
// @ts-expect-error The scripts have no types: they run on any Node, before anything is installed.
import { faults } from "../packages/checks/index.mjs"
// @ts-expect-error The same.
import { bundling } from "../packages/consumers/bundling.mjs"
// @ts-expect-error The same.
import { loading } from "../packages/consumers/loading.mjs"
// @ts-expect-error The same.
import { readPackage } from "../packages/pack.mjs"

const root = mkdtempSync(join(tmpdir(), "sojourn-packages-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Files = Record<string, string>

const manifest = {
  name: "@sojourn/fixture",
  version: "0.1.0",
  description: "A package in which everything is as it should be",
  keywords: ["presence", "presence-tracking", "effect", "fixture"],
  license: "MIT",
  homepage: "https://forge.example/a/b/tree/main/packages/fixture#readme",
  bugs: { url: "https://forge.example/a/b/issues" },
  repository: { type: "git", url: "git+https://forge.example/a/b.git", directory: "packages/fixture" },
  files: ["src", "dist", "AGENTS.md", "README.md", "CHANGELOG.md", "LICENSE"],
  type: "module",
  sideEffects: false,
  exports: {
    "./package.json": "./package.json",
    ".": { source: "./src/index.ts", default: "./dist/index.js" },
    "./internal/*": null
  },
  publishConfig: { access: "public" },
  dependencies: { "@sojourn/core": "^0.1.0", jose: "6.2.17" },
  peerDependencies: { effect: "^4.1.0" },
  engines: { node: ">=22.19" }
}

const code = `import { UserId } from "@sojourn/core"
import { decodeJwt } from "jose"
import * as Effect from "effect/Effect"
export const answer = () => [UserId, decodeJwt, Effect]
`

const source = `/**
 * What is imported.
 */
export const answer = () => []
`

/** A package as it is published. */
const good: Files = {
  "package.json": JSON.stringify(manifest),
  "README.md": "# A fixture\n\n[Its source](src/index.ts), and [others](https://forge.example/a/b).\n",
  "CHANGELOG.md":
    "# @sojourn/fixture\n\n## 0.1.0\n\n- `@sojourn/fixture` exists.\n\n## 0.0.9\n\n- `@sojourn/fixture/gone`\n",
  "AGENTS.md": "# A fixture for agents\n",
  LICENSE: "MIT\n",
  "src/index.ts": source,
  "dist/index.js": code,
  "dist/index.d.ts": `import type { Effect } from "effect/Effect"\nexport declare const answer: () => ReadonlyArray<Effect<void>>\n`,
  "dist/index.d.ts.map": `{"version":3,"sources":["../src/index.ts"]}`
}

const changed = (change: object): Files => ({ ...good, "package.json": JSON.stringify({ ...manifest, ...change }) })

/** The same package without one of its files. */
const without = (name: string): Files => Object.fromEntries(Object.entries(good).filter(([path]) => path !== name))

const exporting = (target: object) => changed({ exports: { ...manifest.exports, ".": target } })

const write = (name: string, files: Files) => {
  const folder = join(root, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const secret = `{"kty":"OKP","crv":"Ed25519","d":"${"a1".repeat(22)}"}`

/** What is wrong, the files with it, and a word of what is said about it. */
const planted: ReadonlyArray<readonly [fault: string, files: Files, said: RegExp]> = [
  [
    "exports lead nowhere",
    exporting({ types: "./dist/index.d.ts", default: "./dist/gone.js" }),
    /^publint: .*gone\.js/
  ],
  ["a command leads nowhere", changed({ bin: { fixture: "./dist/gone.js" } }), /^publint: .*gone\.js/],
  ["types come last", exporting({ default: "./dist/index.js", types: "./dist/index.d.ts" }), /^publint: .*types/],
  ["there are no types", without("dist/index.d.ts"), /^types: /],
  [
    "types are those of CommonJS",
    { ...exporting({ types: "./dist/index.d.cts", default: "./dist/index.js" }), "dist/index.d.cts": "export = 1\n" },
    /^types: .*CommonJS|^types: .*CJS/
  ],
  ["an import is not declared", { ...good, "dist/index.js": `${code}import "undici"\n` }, /^imports: .*undici/],
  ["a type's import is not declared", { ...good, "dist/index.d.ts": `export * from "ws"\n` }, /^imports: .*ws/],
  ["a dependency is not used", changed({ dependencies: { ...manifest.dependencies, ws: "8.0.0" } }), /^imports: ws/],
  [
    "a dependency is a range",
    changed({ dependencies: { ...manifest.dependencies, jose: "^6.0.0" } }),
    /^manifest: jose/
  ],
  [
    "a package asks for another version of its kind",
    changed({ dependencies: { ...manifest.dependencies, "@sojourn/core": "workspace:^" } }),
    /^manifest: @sojourn\/core/
  ],
  ["effect is no peer", changed({ dependencies: { ...manifest.dependencies, effect: "4.1.0" } }), /^manifest: effect/],
  [
    "effect is a dependency of the server",
    changed({ name: "@sojourn/server", dependencies: { effect: "^4.1.0" } }),
    /^manifest: effect must be a peer/
  ],
  [
    "a package of Effect is not a range",
    changed({ dependencies: { ...manifest.dependencies, "@effect/sql-pg": "4.0.5" } }),
    /^manifest: @effect\/sql-pg/
  ],
  ["no repository is named", changed({ repository: undefined }), /^manifest: repository/],
  ["bugs are reported elsewhere", changed({ bugs: { url: "https://forge.example/x" } }), /^manifest: repository/],
  ["another Node is named", changed({ engines: { node: ">=20" } }), /^manifest: engines/],
  ["internal modules are open", changed({ exports: { ".": manifest.exports["."] } }), /^manifest: exports/],
  ["the change log is missing", without("CHANGELOG.md"), /^contents: CHANGELOG\.md is not in it/],
  ["the sources are missing", without("src/index.ts"), /^contents: src\/index\.ts is not in it/],
  ["declarations have no map", without("dist/index.d.ts.map"), /^maps: dist\/index\.d\.ts has none/],
  [
    "a map leads out of the package",
    { ...good, "dist/index.d.ts.map": `{"version":3,"sources":["../../core/src/index.ts"]}` },
    /^maps: .*core\/src/
  ],
  ["a link leads out of the package", { ...good, "README.md": "[x](../core/README.md)\n" }, /^links: README\.md/],
  [
    "the change log names a module that does not exist",
    { ...good, "CHANGELOG.md": "# x\n\n## 0.1.0\n\n- `@sojourn/fixture/testing` is new.\n" },
    /^names: CHANGELOG\.md names `@sojourn\/fixture\/testing`/
  ],
  ["imports are said to have effects", changed({ sideEffects: undefined }), /^manifest: sideEffects/],
  [
    "something runs when it is installed",
    changed({ scripts: { postinstall: "node x.js" } }),
    /^manifest: .*postinstall/
  ],
  ["the licence is missing", without("LICENSE"), /^contents: LICENSE is not in it/],
  ["a test is in it", { ...good, "dist/index.test.js": "" }, /^contents: dist\/index\.test\.js/],
  ["the compiler's memory is in it", { ...good, "dist/.tsbuildinfo": "{}" }, /^contents: dist\/\.tsbuildinfo/],
  [
    "a key is in it",
    { ...good, "dist/index.js.map": `{"sources":[],"key":${secret}}` },
    /^contents: .*private JSON Web Key/
  ]
]

it("finds nothing in a package that is as it should be", async () => {
  const one = readPackage(write("good", good))
  expect(await faults(one, [one])).toEqual([])
})

it.each(planted)("sees that %s", async (fault, files, said) => {
  const one = readPackage(write(fault, files))
  const found: ReadonlyArray<string> = await faults(one, [one])
  expect(found).toContainEqual(expect.stringMatching(said))
})

const effects: ReadonlyArray<readonly [fault: string, text: string, said: RegExp]> = [
  ["prints", `console.log("hello")`, /prints hello/],
  ["warns", `console.warn("careful")`, /prints careful/],
  ["makes a global", `globalThis.mine = 1`, /global mine/],
  ["changes what all share", `Array.prototype.last = function () { return this.at(-1) }`, /global last/],
  ["listens to the process", `process.on("exit", () => {})`, /listeners/],
  ["sets the environment", `process.env.MINE = "1"`, /global MINE/],
  ["starts a timer", `setTimeout(() => {}, 50)`, /alive/],
  ["ends the process", `process.exit(3)`, /ends the process with 3/]
]

it("says nothing of an import that only gives exports", async () => {
  const folder = write("quiet", { "quiet.mjs": "export const it = 1\n" })
  expect(await loading([["./quiet.mjs"]], folder, [dirname(process.execPath)])).toEqual([])
})

it.each(effects)("sees that an import %s", async (fault, text, said) => {
  const folder = write(`effects-${fault}`, { "it.mjs": `${text}\n` })
  const found: ReadonlyArray<string> = await loading([["./it.mjs"]], folder, [dirname(process.execPath)])
  expect(found).toContainEqual(expect.stringMatching(said))
})

/** A project with packages of these texts. */
const project = (name: string, core: string, client: string) => {
  const texts = { core, client, tracker: "export const track = 1\n" }
  const modules = Object.entries(texts).flatMap(([one, text]) => [
    [
      `node_modules/@sojourn/${one}/package.json`,
      `{"name":"@sojourn/${one}","exports":"./index.js","sideEffects":false}`
    ],
    [`node_modules/@sojourn/${one}/index.js`, text]
  ])
  return write(name, Object.fromEntries(modules))
}

const rule = "export const admit = 1\n"

it("says nothing of packages that are bundled well", async () => {
  expect(await bundling(project("light", rule, "export const call = 1\n"), () => {})).toEqual([])
})

it("sees that one rule brings more than it needs", async () => {
  const heavy = `const rest = "${"x".repeat(70_000)}"\nexport const admit = (at) => rest[at] + rest\n`
  expect(await bundling(project("heavy", heavy, "export const call = 1\n"), () => {})).toEqual([
    expect.stringMatching(/one rule of the core is bundled to 7\d{4} bytes/)
  ])
})

it("sees that a package for browsers imports a module of Node", async () => {
  const folder = project("node", rule, `import { readFileSync } from "node:fs"\nexport const call = readFileSync\n`)
  await expect(bundling(folder, () => {})).rejects.toThrow(/node:fs/)
})
