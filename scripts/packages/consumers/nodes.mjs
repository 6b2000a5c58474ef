/** The versions of Node that the packages are tried on. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { at, node } from "../../workspace/paths.mjs"
import { started } from "./started.mjs"

/** The oldest line that the packages support, from npm like the workspace's own. */
const oldest = "22.23.3"

const folder = at(".cache", `node-${oldest}`)

const fetched = () =>
  ["node", "node.exe"].map((file) => join(folder, "node_modules", "node", "bin", file)).find((file) => existsSync(file))

/** Fetches it into a folder of this process, which then takes the name: of two processes that do this at once, one comes first. */
const fetchOldest = async () => {
  mkdirSync(at(".cache"), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, dependencies: { node: oldest } }))
  await started("npm", ["install", "--no-audit", "--no-fund"], { cwd: own, path: [dirname(node())] })
  try {
    renameSync(own, folder)
  } catch (error) {
    if (fetched() === undefined) throw error
    rmSync(own, { recursive: true })
  }
}

/** The folder with a Node of this line, which is fetched when it is not there. */
export const nodeOf = async (line) => {
  if (line === "24") return dirname(node())
  if (fetched() === undefined) await fetchOldest()
  return dirname(fetched())
}
