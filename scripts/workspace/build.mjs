/** Makes packages publishable: declarations from the compiler, JavaScript from tsup, and the server's executable. */
import { readFileSync, rmSync } from "node:fs"
import { at } from "./paths.mjs"
import { bundle } from "./bundle.mjs"
import { completeBundle } from "./bundled.mjs"
import { runPnpm } from "./install.mjs"
import { runTool } from "./processes.mjs"

/** Every package, in the order of their dependencies: what `pnpm -r build` does. */
export const build = () => runPnpm(["--recursive", "run", "build"])

/**
 * One package. It starts from an empty `dist`, so that nothing of a module that is gone can be published; the compiler's
 * own memory lies in there too, and forgets with it.
 */
export const buildPackage = async (folder) => {
  const { bin } = JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))
  rmSync(at(folder, "dist"), { recursive: true, force: true })
  const code =
    (await runTool("typescript", ["-b", folder], { command: "tsc" })) ||
    (await runTool("tsup", ["--config", at("tsup.config.ts"), "--silent"], { cwd: at(folder) }))
  if (code === 0) completeBundle(folder)
  if (code === 0 && bin !== undefined) await bundle()
  return code
}
