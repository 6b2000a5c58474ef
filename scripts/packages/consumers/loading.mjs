/** Whether the import of a package leaves the process as it was. */
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "./started.mjs"

const probe = fileURLToPath(new URL("probe.mjs", import.meta.url))

/** The modules that a package offers, by their names. What is for tests alone is loaded by a test runner. */
export const entryPoints = ({ name, manifest }) =>
  Object.entries(manifest.exports)
    .filter(([path, target]) => target !== null && path !== "./package.json" && name !== "@sojourn/testing")
    .map(([path]) => name + path.slice(1))

const effectsOf = async (modules, folder, path) => {
  const [module] = modules
  const { ended, output } = launch("node", ["probe.mjs", ...modules], { cwd: folder, path })
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
 * What the imports of modules do besides giving their exports: whatever they print, change or leave running. Each of the groups has a
 * process of its own, and is named by its first module. The folder has the modules in its `node_modules`, `path` a Node.
 */
export const loading = async (groups, folder, path) => {
  copyFileSync(probe, join(folder, "probe.mjs"))
  const wanted = groups.filter((modules) => modules.length > 0)
  return (await Promise.all(wanted.map((modules) => effectsOf(modules, folder, path)))).flat()
}
