/** Whether the import of a package leaves the process as it was. */
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "./started.mjs"

const probe = fileURLToPath(new URL("probe.mjs", import.meta.url))

/** The modules that a package offers, by their names. What is for tests alone is loaded by a test runner. */
export const entryPoints = ({ name, manifest }) =>
  Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json" && name !== "@sojourn/testing")
    .map((path) => name + path.slice(1))

const effectsOf = async (module, folder, path) => {
  const { ended, output } = launch("node", ["probe.mjs", module], { cwd: folder, path })
  const code = await ended
  const lines = output().trimEnd().split("\n")
  if (code !== 0) return [`loading: ${module} ends the process with ${code}: ${output()}`]
  const printed = lines.slice(0, -1)
  return [
    ...printed.map((line) => `loading: ${module} prints ${line}`),
    ...JSON.parse(lines.at(-1)).map((change) => `loading: ${module} changes the process, ${change}`)
  ]
}

/**
 * What the imports of modules do besides giving their exports, each in a process of its own: whatever it prints, changes or
 * leaves running. The folder has the modules in its `node_modules`, `path` a Node.
 */
export const loading = async (modules, folder, path) => {
  copyFileSync(probe, join(folder, "probe.mjs"))
  return (await Promise.all(modules.map((module) => effectsOf(module, folder, path)))).flat()
}
