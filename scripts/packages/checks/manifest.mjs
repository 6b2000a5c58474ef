import { withRepository } from "../../release/repository.mjs"

const exact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const compatible = /^\^\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Packages for browsers and devices ask for less of Node. `consumers/nodes.mjs` has the versions that each is tried on. */
const engines = { "@sojourn/client": ">=20", "@sojourn/tracker": ">=20" }

/** The address of the repository, as a package names it. */
const homeOf = ({ repository }) => /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+)\.git$/.exec(repository?.url ?? "")?.[1]

/** Whether the addresses are those that `npm run release -- repository` would write. */
const hasAddresses = (json) => {
  const home = homeOf(json)
  if (home === undefined) return false
  const { homepage, bugs, repository } = withRepository({}, `packages/${json.name.replace("@sojourn/", "")}`, home)
  return json.homepage === homepage && json.bugs?.url === bugs.url && json.repository.directory === repository.directory
}

/** What must stand in the manifest of a package, and what of it is right. */
const fields = {
  version: (value) => exact.test(value),
  description: (value) => value?.length > 20,
  keywords: (value) => value?.length >= 4,
  license: (value) => value === "MIT",
  type: (value) => value === "module",
  sideEffects: (value) => value === false,
  engines: (value, { name }) => value?.node === (engines[name] ?? ">=22.19"),
  repository: (_, json) => hasAddresses(json),
  exports: (value) => value?.["./internal/*"] === null,
  private: (value) => value === undefined
}

const entries = (dependencies = {}) => Object.entries(dependencies)

/** Other packages of ours have our version; those of Effect are a range, as two of them do not fit together; others are exact. */
const isAskedRight = (name, range, version) => {
  if (name.startsWith("@sojourn/")) return range === `^${version}`
  return name.startsWith("@effect/") ? compatible.test(range) : exact.test(range)
}

/**
 * Whether a manifest says what it must: one version for all packages of the workspace, which ask for each other by
 * `^version`; the versions of everything else; ranges of peers, of which `effect` always is one.
 */
export const manifest = ({ manifest: json }) => {
  const wrong = Object.keys(fields).filter((field) => !fields[field](json[field], json))
  const runtime = [...entries(json.dependencies), ...entries(json.optionalDependencies)]
  const loose = runtime.filter(([other, range]) => !isAskedRight(other, range, json.version))
  const narrow = entries(json.peerDependencies).filter(([, range]) => !compatible.test(range))
  const hooks = Object.keys(json.scripts ?? {}).filter((script) => /^(pre|post)?(un)?install$|^prepare$/.test(script))
  return [
    ...wrong.map((field) => `manifest: ${field} is not as it should be: ${JSON.stringify(json[field])}`),
    ...loose.map(([other, range]) => `manifest: ${other} is asked for as ${range}`),
    ...narrow.map(([other, range]) => `manifest: the peer ${other} is asked for as ${range}, which is no ^ range`),
    ...(json.dependencies?.effect === undefined ? [] : ["manifest: effect must be a peer, or there may be two of it"]),
    ...hooks.map((script) => `manifest: its script ${script} would run where it is installed`)
  ]
}
