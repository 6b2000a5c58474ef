/**
 * Looks at the packages as they would be published, and installs them into empty projects: `npm run packages`. With `--all` in
 * every project; without, in the two of the gate, which have each manager and each line of Node once; with `--pack` in none.
 */
import { devices } from "./packages/consumers/devices.mjs"
import { consumer } from "./packages/consumers/index.mjs"
import { faults } from "./packages/checks/index.mjs"
import { pack } from "./packages/pack.mjs"

const every = ["npm", "pnpm"].flatMap((manager) => ["22", "24"].map((line) => ({ manager, line })))

/** What is left out of npm's project pnpm's does, and the other way round. */
const few = [
  {
    manager: "npm",
    line: "22",
    only: ["install", "types for Node", "core", "require", "bundles", "npx", "embedding"]
  },
  { manager: "pnpm", line: "24" }
]

const cells = process.argv.includes("--pack") ? [] : process.argv.includes("--all") ? every : few

const report = (found) => {
  for (const fault of found) console.error(`FAULT ${fault}`)
  return found.length
}

const packages = await pack()
let count = 0
for (const one of packages) {
  count += report((await faults(one, packages)).map((fault) => `${one.name}: ${fault}`))
  console.log(`${one.name} ${one.manifest.version}: ${one.files.size} files, ${Math.ceil(one.size / 1000)} kB packed`)
}
if (count === 0) {
  if (cells.length > 0) count += report(await devices(packages, console.log))
  for (const cell of cells) count += report(await consumer(packages, cell, console.log))
}
console.log(count === 0 ? "the packages can be published" : `${count} faults`)
process.exitCode = count === 0 ? 0 : 1
