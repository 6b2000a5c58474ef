/** Paths of the workspace: its root, its packages, its Node and its tools. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

/** A path below the workspace's root. */
export const at = (...parts) => join(root, ...parts)

/** The folders that hold a package, as `packages/core`. */
export const packageFolders = () => {
  const below = readdirSync(at("packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `packages/${entry.name}`)
  return [...below, "examples", "benchmarks", "site"].filter((folder) => existsSync(at(folder, "package.json"))).sort()
}

/** The workspace's own Node, from the `node` package: the one that everything but these scripts runs on. */
export const node = () => {
  const found = ["node", "node.exe"].map((file) => at("node_modules", "node", "bin", file)).find(existsSync)
  if (found === undefined) {
    throw new Error("node_modules holds no Node: its install script did not run. Remove node_modules and try again.")
  }
  return found
}

/** The script behind a command of an installed package: to run on our own Node, without a shell. */
export const tool = (packageName, command = packageName) => {
  const folder = at("node_modules", packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return join(folder, typeof bin === "string" ? bin : bin[command])
}
