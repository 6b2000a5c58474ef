const exact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const compatible = /^\^\d+\.\d+\.\d+(-[\w.-]+)?$/

/** What must stand in the manifest of a package, and what of it is right. */
const fields = {
  version: (value) => exact.test(value),
  description: (value) => value?.length > 20,
  keywords: (value) => value?.length >= 4,
  license: (value) => value === "MIT",
  type: (value) => value === "module",
  sideEffects: (value) => value === false,
  engines: (value) => /^>=22\.\d+$/.test(value?.node),
  private: (value) => value === undefined
}

const entries = (dependencies = {}) => Object.entries(dependencies)

/**
 * Whether a manifest says what it must: one version for all packages of the workspace, which ask for each other by
 * `^version`; exact versions of everything else; ranges of peers, of which effect is one for packages that use its types.
 */
export const manifest = ({ name, manifest: given }) => {
  const wrong = Object.keys(fields).filter((field) => !fields[field](given[field], given))
  const runtime = [...entries(given.dependencies), ...entries(given.optionalDependencies)]
  const loose = runtime.filter(([other, range]) =>
    other.startsWith("@sojourn/") ? range !== `^${given.version}` : !exact.test(range)
  )
  const narrow = entries(given.peerDependencies).filter(([, range]) => !compatible.test(range))
  const effectIsOwn = name !== "@sojourn/server" && given.dependencies?.effect !== undefined
  const hooks = Object.keys(given.scripts ?? {}).filter((script) => /^(pre|post)?(un)?install$|^prepare$/.test(script))
  return [
    ...wrong.map((field) => `manifest: ${field} is not as it should be: ${JSON.stringify(given[field])}`),
    ...loose.map(([other, range]) => `manifest: ${other} is asked for as ${range}`),
    ...narrow.map(([other, range]) => `manifest: the peer ${other} is asked for as ${range}, which is no ^ range`),
    ...(effectIsOwn ? ["manifest: effect must be a peer, or there may be two of it"] : []),
    ...hooks.map((script) => `manifest: its script ${script} would run where it is installed`)
  ]
}
