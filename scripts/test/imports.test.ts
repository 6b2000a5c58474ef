/** Shows that every rule of `.dependency-cruiser.mjs` refuses a planted import, and accepts the architecture. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { install, plant, root, uproot } from "./planted.ts"

interface Rules {
  readonly forbidden: ReadonlyArray<{ readonly name: string }>
}

const { default: rules }: { readonly default: Rules } = await import(
  pathToFileURL(join(root, ".dependency-cruiser.mjs")).href
)

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

/** What the rules refuse in a workspace of these sources, as `file: rule`. */
const refusals = (files: Record<string, string>): ReadonlyArray<string> => {
  const tree = plant(files)
  install(tree)
  try {
    const cruiser = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs")
    const config = join(root, ".dependency-cruiser.mjs")
    const args = [cruiser, "--config", config, "--output-type", "json", "packages"]
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: tree,
      timeout: 30_000,
      encoding: "utf8",
      maxBuffer: 1e8
    })
    const violations: ReadonlyArray<Violation> = JSON.parse(stdout).summary.violations
    return [...new Set(violations.map(({ from, rule }) => `${from}: ${rule.name}`))].toSorted()
  } finally {
    uproot(tree)
  }
}

/** A workspace in which every import is as it should be. */
const good = {
  "packages/core/src/index.ts": `export * from "./domain/Word.ts"\nexport * from "./services/Use.ts"\n`,
  "packages/core/src/domain/Word.ts": `import type * as Option from "effect/Option"
import { sha256 } from "@noble/hashes/sha2.js"
export type Word = Option.Option<typeof sha256>\n`,
  "packages/core/src/ports/Store.ts": `import type { Word } from "../domain/Word.ts"\nexport type Store = Word\n`,
  "packages/core/src/services/Use.ts": `import type { Word } from "../domain/Word.ts"
import type { Store } from "../ports/Store.ts"
export type Use = Word | Store\n`,
  "packages/testing/src/index.ts": `import { it } from "@effect/vitest"
import type { Use } from "@sojourn/core"
export const laws = (use: Use) => it("holds", () => void use)\n`,
  "packages/core/test/Word.test.ts": `import { laws } from "@sojourn/testing"\nlaws\n`,
  "packages/adapter-memory/src/index.ts": `export type { Word } from "@sojourn/core"\n`,
  "packages/adapter-memory/test/laws.test.ts": `import { laws } from "@sojourn/testing"\nlaws\n`,
  "packages/adapter-jwt/src/index.ts": `export * from "jose"\n`,
  "packages/outbound/src/index.ts": `export type { Word } from "@sojourn/core"\n`,
  "packages/adapter-ldap/src/index.ts": `export type { Word } from "@sojourn/outbound"\n`,
  "packages/embedded-postgres/src/index.ts": `export { readFile } from "node:fs/promises"\n`,
  "packages/adapter-http/src/index.ts": `export * from "./api/index.ts"\nexport * from "./handlers/all.ts"\n`,
  "packages/adapter-http/src/api/index.ts": `export type { Word } from "@sojourn/core"\n`,
  "packages/adapter-http/src/handlers/all.ts": `export * as Api from "../api/index.ts"\n`,
  "packages/adapter-http/test/all.test.ts": `import "@sojourn/adapter-memory"\n`,
  "packages/core/src/domain/geofence/Geofence.ts": `import { orient2d } from "robust-predicates"\nvoid orient2d\n`,
  "packages/client/src/index.ts": `export * from "./http.ts"\n`,
  "packages/client/src/http.ts": "export const request = fetch\n",
  "packages/tracker/src/index.ts": `export * from "@sojourn/core/Geofence"\nexport { request } from "@sojourn/client/http"\n`,
  "packages/page/src/browser/main.ts": `import { request } from "@sojourn/client"\nvoid request\n`,
  "packages/service/src/index.ts": `import "@sojourn/adapter-memory"\nimport "@sojourn/outbound"\n`,
  "packages/server/src/index.ts": `import "@sojourn/adapter-memory"\nimport "@sojourn/adapter-jwt"
import * as Http from "@sojourn/adapter-http"\nimport { createServer } from "node:http"\nvoid [Http, createServer]\n`
}

/** One file each, which breaks the rule of its name. */
const planted: ReadonlyArray<readonly [rule: string, file: string, text: string]> = [
  ["core-domain", "packages/core/src/domain/Bad1.ts", `import type { Store } from "../ports/Store.ts"`],
  ["core-domain", "packages/core/src/domain/Bad2.ts", `export * from "../index.ts"`],
  ["core-ports", "packages/core/src/ports/Bad.ts", `import type { Use } from "../services/Use.ts"`],
  ["core-services", "packages/core/src/services/Bad.ts", `import { laws } from "@sojourn/testing"`],
  ["core-needs-no-platform", "packages/core/src/services/Bad2.ts", `import { createHash } from "node:crypto"`],
  ["adapters-stand-alone", "packages/adapter-jwt/src/Bad.ts", `import "@sojourn/adapter-memory"`],
  ["adapters-stand-alone", "packages/adapter-memory/src/Bad1.ts", `import type { Server } from "@sojourn/server"`],
  ["packages-stand-alone", "packages/core/src/Bad1.ts", `import "@sojourn/adapter-memory"`],
  ["packages-stand-alone", "packages/testing/src/Bad.ts", `import "@sojourn/adapter-memory"`],
  ["packages-stand-alone", "packages/testing/src/Bad2.ts", `import "@sojourn/outbound"`],
  ["packages-stand-alone", "packages/outbound/src/Bad.ts", `import "@sojourn/adapter-memory"`],
  ["service-needs-no-server", "packages/service/src/Bad.ts", `import type { Server } from "@sojourn/server"`],
  ["core-needs-no-platform", "packages/page/src/browser/Bad1.ts", `import { createHash } from "node:crypto"`],
  ["page-knows-client-alone", "packages/page/src/browser/Bad2.ts", `import type { Word } from "@sojourn/core"`],
  ["page-knows-client-alone", "packages/page/src/browser/Bad3.ts", `import type { Word } from "@sojourn/adapter-http"`],
  ["page-imports-types", "packages/page/src/browser/Bad4.ts", `import "@sojourn/adapter-http"`],
  ["imports-nothing-of-ours", "packages/embedded-postgres/src/Bad.ts", `import type { Word } from "@sojourn/core"`],
  ["geofence-needs-no-effect", "packages/core/src/domain/geofence/Geofence.ts", `import "./Detour.ts"`],
  ["core-needs-no-platform", "packages/tracker/src/Bad1.ts", `import { createHash } from "node:crypto"`],
  ["tracker-knows-what-it-bundles", "packages/tracker/src/Bad2.ts", `import type { Word } from "@sojourn/core"`],
  ["tracker-knows-what-it-bundles", "packages/tracker/src/Bad3.ts", `import * as Option from "effect/Option"`],
  [
    "tracker-knows-what-it-bundles",
    "packages/tracker/src/Bad4.ts",
    `import { request } from "@sojourn/client"\nvoid request`
  ],
  ["packages-meet-at-exports", "packages/adapter-memory/src/Bad2.ts", `export * from "../../core/src/domain/Word.ts"`],
  ["packages-meet-at-exports", "packages/adapter-jwt/test/Bad.ts", `export * from "../../core/src/domain/Word.ts"`],
  ["testing-is-for-tests", "packages/adapter-memory/src/Bad3.ts", `import { laws } from "@sojourn/testing"`],
  ["testing-is-for-tests", "packages/core/src/Bad2.ts", `import { laws } from "@sojourn/testing"`],
  ["testing-is-for-tests", "packages/server/src/Bad1.ts", `const laws = await import("@sojourn/testing")`],
  ["sources-know-no-tests", "packages/core/src/Bad3.ts", `import "../test/Word.test.ts"`],
  ["api-knows-no-handlers", "packages/adapter-http/src/api/Bad.ts", `import "../handlers/all.ts"`],
  ["pipeline-knows-no-handlers", "packages/adapter-http/src/pipeline/Bad.ts", `import "../handlers/all.ts"`],
  ["declared-dependencies", "packages/adapter-jwt/src/Bad2.ts", `import { defineConfig } from "tsup"`],
  ["declared-dependencies", "packages/core/src/Bad4.ts", `import "geographiclib-geodesic"`],
  ["resolvable", "packages/server/src/Bad2.ts", `import "@sojourn/core/domain/Word"`],
  ["resolvable", "packages/server/src/Bad3.ts", `import "./Absent.ts"`],
  ["no-cycles", "packages/server/src/Bad4.ts", `import type { B } from "./Bad5.ts"\nexport type A = B`],
  // Of folders, the folder is reported.
  ["no-folder-cycles", "packages/server/src/one/Bad1.ts", `import type { B } from "../two/Bad1.ts"\nexport type A = B`]
]

const reported = (rule: string, file: string): string =>
  `${rule === "no-folder-cycles" ? file.slice(0, file.lastIndexOf("/")) : file}: ${rule}`

/** A cycle takes two files, and is reported once; a detour takes two files too. */
const otherHalf = {
  "packages/server/src/Bad5.ts": `import type { A } from "./Bad4.ts"\nexport type B = A\n`,
  "packages/server/src/one/Bad2.ts": "export type A = string\n",
  "packages/server/src/two/Bad1.ts": "export type B = string\n",
  "packages/server/src/two/Bad2.ts": `import type { A } from "../one/Bad2.ts"\nexport type B = A\n`,
  "packages/core/src/domain/geofence/Detour.ts": `import * as Option from "effect/Option"\nvoid Option\n`
}

it("accepts the imports that the architecture has", () => {
  expect(refusals(good)).toEqual([])
})

it("refuses each planted import, by the rule that is meant for it", () => {
  const found = refusals({
    ...good,
    ...otherHalf,
    ...Object.fromEntries(planted.map(([, file, text]) => [file, `${text}\n`]))
  })
  expect(found).toEqual(expect.arrayContaining(planted.map(([rule, file]) => reported(rule, file))))
})

it("has a planted violation for every rule", () => {
  expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(rules.forbidden.map(({ name }) => name)))
})
