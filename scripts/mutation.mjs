/**
 * Changes rules, use cases and stores in small ways, one at a time, with Stryker, and fails when tests notice too few of the changes:
 * `npm run mutation -- [group] [words]`. Words choose the files of the group with one of them in their paths. Without a group all run.
 */
import { globSync } from "node:fs"
import { groups } from "./mutation/groups.mjs"
import { installMutation } from "./workspace/install.mjs"
import { at, node, root } from "./workspace/paths.mjs"
import { run } from "./workspace/processes.mjs"

const [group, ...words] = process.argv.slice(2)
if (group !== undefined && !Object.hasOwn(groups, group)) {
  throw new Error(`${group} is none of ${Object.keys(groups).join(", ")}`)
}

/** The files of a group. A pattern without a file is an error: Stryker calls no change at all a success. */
const filesOf = (name) => {
  const { mutate, except = [] } = groups[name]
  const files = mutate.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root, exclude: except })
    if (found.length === 0) throw new Error(`there is no ${pattern}`)
    return found
  })
  const chosen = files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (chosen.length === 0) throw new Error(`no file of ${name} has ${words.join(" or ")} in its path`)
  return chosen
}

const stryker = at("scripts", "mutation", "node_modules", "@stryker-mutator", "core", "bin", "stryker.js")
const wanted = group === undefined ? Object.keys(groups) : [group]
await installMutation()
for (const name of wanted) {
  console.log(`\n> ${name}`)
  const args = [stryker, "run", "scripts/mutation/stryker.config.mjs", "--mutate", filesOf(name).join(",")]
  const code = await run(node(), args, { env: { SOJOURN_MUTATION_GROUP: name } })
  if (code !== 0) process.exitCode = code
}
