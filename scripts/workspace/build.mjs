/** Makes packages publishable: JavaScript and declarations from the compiler, embedded modules and the executable from tsup. */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { at } from "./paths.mjs"
import { bundle } from "./bundle.mjs"
import { clientTypes } from "./clientTypes.mjs"
import { runPnpm } from "./install.mjs"
import { runTool } from "./processes.mjs"
import { bringModules } from "./vendored.mjs"

/** Modules that hold code for somewhere else, in the packages that have one: the page for browsers, and the thread that checks areas. */
const embedding = ["src/files.ts", "src/areas/thread.ts"]

/** Every package, in the order of their dependencies: what `pnpm -r build` does. */
export const build = async () => (await clientTypes()) || runPnpm(["--recursive", "run", "build"])

const embed = (folder) => {
  const source = embedding.find((path) => existsSync(at(folder, path)))
  if (source === undefined) return 0
  rmSync(at(folder, source.replace(/^src/, "dist").replace(/ts$/, "js.map")))
  const env = { SOJOURN_ENTRY: source }
  return runTool("tsup", ["--config", at("tsup.config.ts"), "--silent"], { cwd: at(folder), env })
}

/**
 * One package. It starts from an empty `dist`, so that nothing of a module that is gone can be published; the compiler's
 * own memory lies in there too, and forgets with it.
 */
export const buildPackage = async (folder) => {
  const { bin } = JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))
  rmSync(at(folder, "dist"), { recursive: true, force: true })
  const code = (await runTool("typescript", ["-b", folder], { command: "tsc" })) || (await embed(folder))
  if (code === 0) bringModules(folder)
  if (code === 0 && bin !== undefined) await bundle()
  return code
}
