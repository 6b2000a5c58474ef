/** The line that installs packed packages: npm finds none of them in a registry, so it names all that they depend on. */
import { readFileSync } from "node:fs"
import { at } from "../workspace/paths.mjs"

/** What a program that embeds the service names: `docs/start/embed.md` uses these. */
export const embedded = ["@sojourn/service", "@sojourn/adapter-memory"]

/** These packages and all of ours that they depend on, each once, by name. */
export const needed = (packages, names) => {
  const manifests = new Map(packages.map(({ name, manifest }) => [name, manifest]))
  const found = new Set()
  const add = (name) => {
    if (found.has(name) || !manifests.has(name)) return
    found.add(name)
    const { dependencies = {}, peerDependencies = {} } = manifests.get(name)
    for (const other of Object.keys({ ...dependencies, ...peerDependencies })) add(other)
  }
  for (const name of names) add(name)
  return [...found].toSorted()
}

/** The line, with the paths of the tarballs. */
export const installLine = (packages, names) => {
  const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"))
  const tarballs = new Map(packages.map(({ name, tarball }) => [name, tarball]))
  return [
    "npm install",
    `effect@${devDependencies.effect}`,
    ...needed(packages, names).map((name) => tarballs.get(name))
  ].join(" ")
}
