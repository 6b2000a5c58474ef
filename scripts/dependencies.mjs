/**
 * Holds the dependencies to the policy of docs/decisions/0010-dependencies.md. With a file's name it also writes the software
 * bill of materials there: `npm run dependencies -- sbom.cdx.json`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { pins, rows, runtime, tools } from "./dependencies/policy.mjs"
import { sbom } from "./dependencies/sbom.mjs"
import { capturePnpm } from "./workspace/install.mjs"
import { at, packageFolders } from "./workspace/paths.mjs"

const manifests = [".", ...packageFolders()].map((folder) => ({
  folder,
  ...JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))
}))
const published = manifests.filter((manifest) => manifest.private !== true)
const decision = readFileSync(at("docs", "decisions", "0010-dependencies.md"), "utf8")

const bill = sbom()
const { components } = JSON.parse(bill)
const installed = capturePnpm(["--recursive", "licenses", "list", "--json"])
const licences = Object.fromEntries(
  Object.entries(JSON.parse(installed)).map(([licence, packages]) => [licence, packages.map(({ name }) => name)])
)

const faults = [...pins(manifests), ...rows(published, decision), ...runtime(components), ...tools(licences)]
for (const fault of faults) console.error(`FAULT ${fault}`)

const [file] = process.argv.slice(2)
if (file !== undefined) writeFileSync(file, bill)
console.log(`${components.length} packages are installed with the server; ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
