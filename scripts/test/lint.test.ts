/** Shows that the project's lint rules refuse planted code, in the folders that they are for. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { plant, root, uproot } from "./planted.ts"

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

/** What the linter refuses of these sources, as `file: rule`. */
const refusals = (files: Record<string, string>): ReadonlyArray<string> => {
  const tree = plant(files)
  try {
    const args = [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json", "packages"]
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: tree,
      timeout: 30_000,
      encoding: "utf8",
      maxBuffer: 1e8
    })
    const diagnostics: ReadonlyArray<Diagnostic> = JSON.parse(stdout).diagnostics
    return diagnostics.map(({ code, filename }) => `${filename}: ${code}`).toSorted()
  } finally {
    uproot(tree)
  }
}

/** Each text becomes a file of its own in the folder; the linter must say exactly one thing about each. */
const refusesEach = (folder: string, rule: string, texts: ReadonlyArray<string>) => {
  const files = texts.map((text, index) => [`${folder}/planted${index}.ts`, `${text}\n`] as const)
  expect(refusals(Object.fromEntries(files))).toEqual(files.map(([file]) => `${file}: ${rule}`).toSorted())
}

const acceptsAll = (folder: string, texts: ReadonlyArray<string>) => {
  const files = texts.map((text, index) => [`${folder}/good${index}.ts`, `${text}\n`] as const)
  expect(refusals(Object.fromEntries(files))).toEqual([])
}

const imports = (names: ReadonlyArray<string>) => names.map((name) => `export * as It from "${name}"`)

describe("sojourn(pure)", () => {
  it("refuses time, randomness and async in the core", () => {
    refusesEach("packages/core/src/services", "sojourn(pure)", [
      "export const now = () => Date.now()",
      "export const now = Date.now",
      `export const now = () => Date["now"]()`,
      "export const now = () => globalThis.Date.now()",
      "export const today = () => new Date()",
      "export const today = () => Date()",
      "export const dice = () => Math.random()",
      "export const name = () => crypto.randomUUID()",
      "export const load = async () => 1",
      "export async function load() {}",
      "export const loader = { async load() {} }"
    ])
  })

  it("accepts a date of a given time in the core, and all of it elsewhere", () => {
    acceptsAll("packages/core/src/domain", ["export const date = (time: number) => new Date(time).getUTCFullYear()"])
    acceptsAll("packages/server/src", ["export const now = async () => [Date.now(), Math.random(), new Date()]"])
  })
})

describe("sojourn(only-imports)", () => {
  const rule = "sojourn(only-imports)"

  it("keeps the domain to data", () => {
    const refused = ["effect/Effect", "effect/Context", "effect/Clock", "effect/http/HttpClient", "node:crypto", "jose"]
    refusesEach("packages/core/src/domain", rule, [
      ...imports(refused),
      `import type { Effect } from "effect/Effect"\nexport type It = Effect<void>`,
      `export { Effect } from "effect/Effect"`,
      `export const it = import("effect/Effect")`,
      `export type It = import("effect/Effect").Effect<void>`
    ])
    const accepted = [
      "effect/Option",
      "effect/SchemaGetter",
      "effect/encoding/Base64Url",
      "@noble/hashes/sha2.js",
      "./It.ts"
    ]
    acceptsAll("packages/core/src/domain", imports(accepted))
  })

  it("keeps the ports to types of effects", () => {
    const refused = ["effect/Schedule", "effect/Clock", "effect/sql/SqlClient", "node:fs", "@noble/hashes/sha2.js"]
    refusesEach("packages/core/src/ports", rule, imports(refused))
    acceptsAll(
      "packages/core/src/ports",
      imports(["effect/Effect", "effect/Context", "effect/Layer", "effect/Option", "../domain/It.ts"])
    )
  })

  it("keeps HTTP, SQL and Node out of the core", () => {
    const refused = [
      "effect/http/HttpClient",
      "effect/sql/SqlClient",
      "node:fs",
      "fs",
      "@effect/platform-node/NodeRuntime"
    ]
    for (const folder of ["packages/core/src/services", "packages/testing/src"]) {
      refusesEach(folder, rule, imports([...refused, "jose"]))
      acceptsAll(folder, imports(["effect/Effect", "effect/Layer", "effect/crypto/SecureRandom"]))
    }
    refusesEach("packages/core/src/services", rule, imports(["@effect/vitest", "effect/testing/TestClock"]))
    acceptsAll("packages/testing/src", imports(["@sojourn/core", "@effect/vitest", "effect/testing/TestClock"]))
  })
})

describe("sojourn(ending-loop)", () => {
  it("refuses loops without an end of their own", () => {
    refusesEach("packages/server/src", "sojourn(ending-loop)", [
      "export const run = (next: () => boolean) => {\n  for (;;) if (next()) return\n}",
      "export const run = (next: (n: number) => boolean) => {\n  for (let n = 0; ; n++) if (next(n)) return\n}",
      "export const run = (next: () => boolean) => {\n  while (true) if (next()) return\n}"
    ])
    acceptsAll("packages/server/src", [
      "export const run = (next: (n: number) => boolean) => {\n  for (let n = 0; next(n); n++);\n}",
      "export const run = (next: () => boolean) => {\n  let isLast: boolean\n  do isLast = next()\n  while (!isLast)\n}"
    ])
  })
})

describe("sojourn(pure-predicate)", () => {
  it("refuses changes in predicates", () => {
    refusesEach("packages/server/src", "sojourn(pure-predicate)", [
      "export const index = (all: Array<number>, rest: number) => all.findIndex((one) => (rest -= one) < 0)",
      "export const few = (all: Array<number>, count = 0) => all.filter(() => count++ < 3)",
      "export const distinct = (all: Array<number>, seen = new Set()) => all.filter((one) => !seen.has(one) && seen.add(one))"
    ])
    acceptsAll("packages/server/src", [
      "export const known = (all: Array<number>, seen: Set<number>) => all.filter((one) => seen.has(one))"
    ])
  })
})

describe("eslint(no-restricted-imports)", () => {
  it("refuses barrels in the sources that a browser may load", () => {
    for (const folder of ["packages/adapter-http/src", "packages/tracker/src"]) {
      const refused = ["effect", "effect/http", "effect/http-api", "@effect/platform-node"]
      refusesEach(folder, "eslint(no-restricted-imports)", imports(refused))
    }
    acceptsAll("packages/server/src", imports(["effect", "effect/http/HttpRouter", "jose"]))
  })

  it("leaves them to tests", () => {
    acceptsAll("packages/core/test", imports(["effect", "effect/testing"]))
  })
})
