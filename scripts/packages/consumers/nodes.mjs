/** The versions of Node that the packages are tried on. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { at, node } from "../../workspace/paths.mjs"
import { exclusively } from "../../workspace/lock.mjs"
import { started } from "./started.mjs"

/** The oldest line that the packages support, from npm like the workspace's own. */
const oldest = "22.23.3"

const folder = at(".cache", `node-${oldest}`)

const fetched = () =>
  ["node", "node.exe"].map((file) => join(folder, "node_modules", "node", "bin", file)).find((file) => existsSync(file))

/** The folder with a Node of this line, which is fetched when it is not there. */
export const nodeOf = async (line) => {
  if (line === "24") return dirname(node())
  if (fetched() === undefined) {
    await exclusively("node", async () => {
      if (fetched() !== undefined) return
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: { node: oldest } }))
      await started("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, path: [dirname(node())] })
    })
  }
  return dirname(fetched())
}
