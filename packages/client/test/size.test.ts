/** Bounds the size of the client in an app, and its modules to its own. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, it } from "vitest"

it("is small, and needs no module besides its own", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true
  })
  assert.isTrue(Object.keys(metafile.inputs).every((path) => path.includes("packages/client/src/")))
  assert.isBelow(gzipSync(outputFiles[0]!.contents).length, 4_500)
})
