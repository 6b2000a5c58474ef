import { defineConfig } from "tsup"
import { embedPage } from "./packages/page/src/bundle.ts"
import { embedWorker } from "./packages/service/src/areas/embedWorker.ts"

/** The one module of a package that embeds code for somewhere else (`scripts/workspace/build.mjs`). `tsc -b` emits all others. */
const source = process.env["SOJOURN_ENTRY"]!

export default defineConfig({
  entry: { [source.replace(/^src\//, "").replace(/\.ts$/, "")]: source },
  format: "esm",
  platform: "neutral",
  target: "es2022",
  dts: false,
  clean: false,
  // Some of Node's modules, such as node:sqlite, have no name without the prefix.
  removeNodeProtocol: false,
  skipNodeModulesBundle: true,
  esbuildPlugins: [embedPage, embedWorker]
})
