import { defineConfig, type Options } from "tsup"
import { readFileSync } from "node:fs"
import { embedPage } from "../page/src/bundle.ts"
import { embedWorker } from "../service/src/areas/embedWorker.ts"

const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

/** The oldest Node, as the manifest says. */
const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node)!

/** Ends on an older Node with one line. It runs before everything that the bundle has, and after Node's own modules are linked. */
const requireNode = `{
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < ${major} || (major === ${major} && minor < ${minor})) {
    console.error("sojourn: Node ${major}.${minor} or newer is needed, and this is " + process.version);
    process.exit(1);
  }
}`

/**
 * Imports the modules of effect one by one. From effect's index esbuild takes every module whole, and reads each function through a getter.
 */
const importEffectByModule: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "import-effect-by-module",
  setup: (build) =>
    build.onLoad({ filter: /packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace(/^import \{([^}]*)\} from "effect"$/m, (_, names: string) =>
        names
          .split(",")
          .map((name) => name.trim().split(" as "))
          .filter(([module]) => module !== "" && !module!.startsWith("type "))
          .map(([module, name = module]) => `import * as ${name} from "effect/${module}"`)
          .join(";")
      )
    }))
}

/** The `sojourn` executable: one file that needs nothing but Node. `scripts/workspace/bundle.mjs` builds it. */
export default defineConfig({
  entry: { sojourn: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: `node${major}.${minor}`,
  dts: false,
  clean: false,
  splitting: false,
  // Some of Node's modules, such as node:sqlite, have no name without the prefix.
  removeNodeProtocol: false,
  minify: true,
  // Names what is bundled, whose licences go with it.
  metafile: true,
  noExternal: [/.*/],
  esbuildPlugins: [embedPage, embedWorker, importEffectByModule],
  // Packages of CommonJS style inside the bundle still ask for Node's own modules with `require`.
  banner: {
    js: `${requireNode}\nimport { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`
  },
  // The workspace's packages come from their sources: no build of theirs is needed first.
  esbuildOptions: (options) => {
    options.conditions = ["source"]
  }
})
