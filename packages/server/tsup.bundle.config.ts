import { defineConfig } from "tsup"
import { embedPage } from "../page/src/bundle.ts"
import { embedWorker } from "../service/src/areas/embedWorker.ts"

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
  esbuildPlugins: [embedPage, embedWorker],
  // Packages of CommonJS style inside the bundle still ask for Node's own modules with `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'
  },
  // The workspace's packages come from their sources: no build of theirs is needed first.
  esbuildOptions: (options) => {
    options.conditions = ["source"]
  }
})
