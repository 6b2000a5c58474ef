/** The policy of docs/decisions/0010-dependencies.md as rules. Each answers what breaks it, as sentences. */

const exact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Licences of what is published with us or installed with us. */
const runtimeLicences = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"])

/** Licences of tools and tests, which are not distributed. */
const toolLicences = new Set([...runtimeLicences, "BlueOak-1.0.0", "CC-BY-4.0", "CC0-1.0", "MPL-2.0", "Python-2.0"])

/** Tools and oracles of other licences, each of which was looked at. */
const exceptions = { jsts: "(EDL-1.0 OR EPL-1.0)" }

const compatible = /^\^\d+\.\d+\.\d+$/

/** Whether a published package may ask for another like this: two copies of what is Effect's do not fit together. */
const isPinned = (name, range, isInstalled) => {
  if (name.startsWith("@sojourn/")) return range === "workspace:^"
  return (isInstalled && name.startsWith("@effect/") ? compatible : exact).test(range)
}

/** Versions are exact wherever they decide what is installed, but for packages of Effect. Ranges of peers are for those who install us. */
export const pins = (manifests) =>
  manifests.flatMap(({ folder, ...manifest }) =>
    ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {})
        .filter(([name, range]) => !isPinned(name, range, kind !== "devDependencies" && manifest.private !== true))
        .map(([name, range]) => `${folder} asks for ${name} as ${range}`)
    )
  )

/** Every package that ours ask for at runtime has a row of its own. `<platform>` stands for any. */
export const rows = (manifests, decision) => {
  const listed = [...decision.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
  const isListed = (name) =>
    listed.some(
      (row) => row === name || (row.endsWith("/<platform>") && name.startsWith(row.slice(0, -"<platform>".length)))
    )
  const dependencies = manifests.flatMap((manifest) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  )
  return [...new Set(dependencies)]
    .filter((name) => !name.startsWith("@sojourn/") && !isListed(name))
    .map((name) => `${name} has no row in decision 0010`)
}

const isAllowed = (allowed, licence) =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((one) => allowed.has(one))

/** `components` are those of a software bill of materials: what is installed with our server. */
export const runtime = (components) =>
  components
    .map(({ group, name, licenses = [] }) => ({
      name: group === undefined ? name : `${group}/${name}`,
      licence: licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(" AND ")
    }))
    .filter(({ licence }) => !isAllowed(runtimeLicences, licence))
    .map(({ name, licence }) => `${name} is installed with the server, and its licence is ${licence || "not known"}`)

/** `licences` are the names of installed packages by their licences. */
export const tools = (licences) =>
  Object.entries(licences).flatMap(([licence, names]) =>
    names
      .filter((name) => !isAllowed(toolLicences, licence) && exceptions[name] !== licence)
      .map((name) => `${name} is installed, and its licence is ${licence}`)
  )
