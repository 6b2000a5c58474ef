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
export const manifest = ({ name, manifest: json }) => {
  const wrong = Object.keys(fields).filter((field) => !fields[field](json[field], json))
  const runtime = [...entries(json.dependencies), ...entries(json.optionalDependencies)]
  const loose = runtime.filter(([other, range]) =>
    other.startsWith("@sojourn/") ? range !== `^${json.version}` : !exact.test(range)
  )
  const narrow = entries(json.peerDependencies).filter(([, range]) => !compatible.test(range))
  const effectIsOwn = name !== "@sojourn/server" && json.dependencies?.effect !== undefined
  const hooks = Object.keys(json.scripts ?? {}).filter((script) => /^(pre|post)?(un)?install$|^prepare$/.test(script))
  return [
    ...wrong.map((field) => `manifest: ${field} is not as it should be: ${JSON.stringify(json[field])}`),
    ...loose.map(([other, range]) => `manifest: ${other} is asked for as ${range}`),
    ...narrow.map(([other, range]) => `manifest: the peer ${other} is asked for as ${range}, which is no ^ range`),
    ...(effectIsOwn ? ["manifest: effect must be a peer, or there may be two of it"] : []),
    ...hooks.map((script) => `manifest: its script ${script} would run where it is installed`)
  ]
}
