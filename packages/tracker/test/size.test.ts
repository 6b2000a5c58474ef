/** Bounds the size of the tracker in an app, and what it brings along. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, it } from "vitest"

const bundle = (external: Array<string>) =>
  build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    external,
    format: "esm",
    platform: "neutral",
    conditions: ["source"],
    minify: true,
    write: false,
    metafile: true
  })

const bundled = await bundle([])

it.each([
  { what: "with everything that it uses", external: [], most: 26_000 },
  { what: "without its one dependency", external: ["robust-predicates"], most: 24_000 }
])("is at most $most bytes gzipped, $what", async ({ external, most }) => {
  const { outputFiles } = await bundle(external)
  assert.isAtMost(gzipSync(outputFiles[0]!.contents, { level: 9 }).length, most)
})

it("holds no line of Effect, and imports nothing", () => {
  assert.deepEqual(
    Object.keys(bundled.metafile.inputs).filter((file) => file.includes("node_modules/effect/")),
    []
  )
  assert.deepEqual(Object.values(bundled.metafile.outputs)[0]!.imports, [])
})
