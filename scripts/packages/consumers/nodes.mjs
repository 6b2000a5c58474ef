/** The versions of Node that the packages are tried on. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { at, node } from "../../workspace/paths.mjs"
import { started } from "./started.mjs"

/**
 * The oldest version that packages name in `engines`, by its line, from npm like the workspace's own; and the npm that comes with it where
 * ours needs a newer Node.
 */
const oldest = { 20: { node: "20.0.0", npm: "9.9.4" }, 22: { node: "22.19.0" } }

const folderOf = (line) => at(".cache", `node-${oldest[line].node}`)

const fetched = (line) =>
  ["node", "node.exe"]
    .map((file) => join(folderOf(line), "node_modules", "node", "bin", file))
    .find((file) => existsSync(file))

/** Fetches it into a folder of this process, which then takes the name: of two processes that do this at once, one comes first. */
const fetchOldest = async (line) => {
  mkdirSync(at(".cache"), { recursive: true })
  const own = mkdtempSync(`${folderOf(line)}-`)
  writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, dependencies: oldest[line] }))
  await started("npm", ["install", "--no-audit", "--no-fund"], { cwd: own, path: [dirname(node())] })
  try {
    renameSync(own, folderOf(line))
  } catch (error) {
    if (fetched(line) === undefined) throw error
    rmSync(own, { recursive: true })
  }
}

/** The folders with a Node of this line and its npm, which are fetched when they are not there. */
export const pathOf = async (line) => {
  if (line === "24") return [dirname(node())]
  if (fetched(line) === undefined) await fetchOldest(line)
  return [dirname(fetched(line)), ...(oldest[line].npm ? [join(folderOf(line), "node_modules", ".bin")] : [])]
}
