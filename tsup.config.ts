import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"
import { embedPage } from "./packages/page/src/bundle.ts"
import { embedWorker } from "./packages/service/src/areas/embedWorker.ts"

/**
 * The JavaScript of a library package, the one in whose folder tsup runs: one entry for each export that has a source.
 * Declarations come from `tsc -b`, and dependencies stay imports.
 */
interface Manifest {
  readonly name: string
  readonly exports: Record<string, string | { readonly source: string; readonly default: string }>
}

const { exports, name }: Manifest = JSON.parse(readFileSync("package.json", "utf8"))

const entry = Object.fromEntries(
  Object.values(exports).flatMap((target) =>
    typeof target === "string"
      ? []
      : [[target.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ""), target.source] as const]
  )
)

/** Packages whose users have no other package of ours: what they import is in them. */
const bundled = new Set(["@sojourn/tracker"])

export default defineConfig({
  entry,
  format: "esm",
  // Some of Node's modules, such as node:sqlite, have no name without the prefix.
  removeNodeProtocol: false,
  platform: "neutral",
  target: "es2022",
  dts: false,
  clean: false,
  sourcemap: true,
  esbuildPlugins: [embedPage, embedWorker],
  skipNodeModulesBundle: true,
  ...(bundled.has(name) && {
    noExternal: [/.*/],
    metafile: true,
    esbuildOptions: (options) => void (options.conditions = ["source"])
  })
})
