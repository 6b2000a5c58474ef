/** A project with the packages for browsers and devices alone, on the oldest Node that they name. */
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pathOf } from "./nodes.mjs"
import { started } from "./started.mjs"

const program = fileURLToPath(new URL("../consumer/devices.mjs", import.meta.url))

/** Installs them, without a warning, and uses them. Answers what went wrong. */
export const devices = async (packages, say) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sojourn-devices-")))
  try {
    const begun = performance.now()
    const options = { cwd: folder, path: await pathOf("20") }
    const dependencies = packages
      .filter(({ name }) => name === "@sojourn/client" || name === "@sojourn/tracker")
      .map(({ name, tarball }) => [name, `file:${tarball}`])
    const manifest = { name: "devices", private: true, type: "module", dependencies: Object.fromEntries(dependencies) }
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
    const output = await started("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], options)
    cpSync(program, join(folder, "devices.mjs"))
    await started("node", ["devices.mjs"], options)
    say(`npm, Node 20: client and tracker in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return /\bwarn/i.test(output) ? [`npm, Node 20: client and tracker are installed with a warning:\n${output}`] : []
  } catch (error) {
    return [`npm, Node 20: ${error.message}`]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
