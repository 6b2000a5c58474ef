/** Makes a version and its change logs of the changesets: `npm run release:version`. */
import { readFileSync, writeFileSync } from "node:fs"
import { at } from "./workspace/paths.mjs"
import { runTool } from "./workspace/processes.mjs"

process.exitCode = await runTool("@changesets/cli", ["version"], { command: "changeset" })
// Where the packages say their version themselves.
const file = at("packages/adapter-http/src/api/shared/version.ts")
const { version } = JSON.parse(readFileSync(at("packages/adapter-http/package.json"), "utf8"))
writeFileSync(file, readFileSync(file, "utf8").replace(/"[^"]*"/, `"${version}"`))
