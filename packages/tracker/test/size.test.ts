/** Bounds the size of the tracker in an app, and what it brings along. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, it } from "vitest"

const bundled = await build({
  entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  platform: "neutral",
  conditions: ["source"],
  minify: true,
  write: false,
  metafile: true
})

it("is at most 35 kB gzipped, with everything that it uses", () => {
  assert.isAtMost(gzipSync(bundled.outputFiles[0]!.contents, { level: 9 }).length, 35_000)
})

it("holds no line of Effect, and imports nothing", () => {
  assert.deepEqual(
    Object.keys(bundled.metafile.inputs).filter((file) => file.includes("node_modules/effect/")),
    []
  )
  assert.deepEqual(Object.values(bundled.metafile.outputs)[0]!.imports, [])
})
