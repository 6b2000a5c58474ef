/**
 * Changes rules, use cases and stores in small ways, one at a time, with Stryker, and fails when tests notice too few of the changes:
 * `npm run mutation -- [group] [options of Stryker]`, such as `rules --mutate packages/core/src/domain/Stay.ts`. Without a group it
 * runs all but the gate's.
 */
import { groups } from "./mutation/groups.mjs"
import { installMutation } from "./workspace/install.mjs"
import { at, node } from "./workspace/paths.mjs"
import { run } from "./workspace/processes.mjs"

const stryker = at("scripts", "mutation", "node_modules", "@stryker-mutator", "core", "bin", "stryker.js")
const [first, ...rest] = process.argv.slice(2)
const isNamed = first !== undefined && !first.startsWith("-")
if (isNamed && !Object.hasOwn(groups, first)) throw new Error(`${first} is none of ${Object.keys(groups).join(", ")}`)

await installMutation()
for (const name of isNamed ? [first] : Object.keys(groups).filter((name) => name !== "gate")) {
  console.log(`\n> ${name}`)
  const args = [stryker, "run", "scripts/mutation/stryker.config.mjs", ...(isNamed ? rest : process.argv.slice(2))]
  process.exitCode = (await run(node(), args, { env: { SOJOURN_MUTATION_GROUP: name } })) || process.exitCode
}
