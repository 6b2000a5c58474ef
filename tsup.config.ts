import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"
import { embedPage } from "./packages/page/src/bundle.ts"

/**
 * The JavaScript of a library package, the one in whose folder tsup runs: one entry for each export that has a source.
 * Declarations come from `tsc -b`, and dependencies stay imports.
 */
interface Manifest {
  readonly exports: Record<string, string | { readonly source: string; readonly default: string }>
}

const { exports }: Manifest = JSON.parse(readFileSync("package.json", "utf8"))

const entry = Object.fromEntries(
  Object.values(exports).flatMap((target) =>
    typeof target === "string"
      ? []
      : [[target.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ""), target.source] as const]
  )
)

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
  esbuildPlugins: [embedPage],
  skipNodeModulesBundle: true
})
