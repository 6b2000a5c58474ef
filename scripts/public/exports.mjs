/** The `exports` of a manifest: one for each public module, from its TypeScript and from what is built of it. */
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { entriesOf, wholeModules } from "./modules.mjs"

const built = (source) => source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, ".js")

/** Packages that are bundled, so that their modules are in no file of their own. */
const isBundled = ({ name }) => name === "@sojourn/tracker"

/** The subpaths that the index calls for: not those that two modules would have, which are reached through the index. */
const derived = (folder) => {
  const modules = wholeModules(folder).map(({ file, subpath }) => [subpath, `./${relative(folder, file)}`])
  return modules.filter(([subpath]) => modules.filter(([other]) => other === subpath).length === 1)
}

/** What `exports` should be: what is there and leads somewhere, and what the index calls for. Everything else is closed. */
export const exportsOf = (folder, manifest) => {
  const there = entriesOf(manifest).filter(([, source]) => existsSync(join(folder, source)))
  const sources = new Map([...(isBundled(manifest) ? [] : derived(folder)), ...there])
  sources.set(".", "./src/index.ts")
  return {
    "./package.json": "./package.json",
    ...Object.fromEntries(
      [...sources]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([subpath, source]) => [subpath, { source, default: built(source) }])
    ),
    "./internal/*": null
  }
}
