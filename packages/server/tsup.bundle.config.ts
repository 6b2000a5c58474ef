import { brotliCompressSync, constants } from "node:zlib"
import { defineConfig, type Options } from "tsup"
import { embedPage } from "../page/src/bundle.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * The script of the page at `/docs` is three quarters of the executable. It is packed, so that neither the start nor the memory
 * of a server pays for what is seldom asked for, and unpacked when it is.
 */
const packDocs: Plugin = {
  name: "pack-docs",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]http-api[\\/]internal[\\/]httpApiScalar\.[jt]s$/ }, async ({ path }) => {
      const { javascript } = (await import(path)) as { readonly javascript: string }
      const packed = brotliCompressSync(javascript, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      const bytes = `Buffer.from("${packed.toString("base64")}", "base64")`
      return {
        contents: `import { brotliDecompressSync } from "node:zlib"
          export const javascript = brotliDecompressSync(${bytes}).toString()`
      }
    })
}

/** The `sojourn` executable: one file that needs nothing but Node. `scripts/workspace/bundle.mjs` builds it. */
export default defineConfig({
  entry: { sojourn: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  clean: false,
  splitting: false,
  // Some of Node's modules, such as node:sqlite, have no name without the prefix.
  removeNodeProtocol: false,
  minify: true,
  // Names what is bundled, whose licences go with it.
  metafile: true,
  noExternal: [/.*/],
  esbuildPlugins: [packDocs, embedPage],
  // Packages of CommonJS style inside the bundle still ask for Node's own modules with `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'
  },
  // The workspace's packages come from their sources: no build of theirs is needed first.
  esbuildOptions: (options) => {
    options.conditions = ["source"]
  }
})
