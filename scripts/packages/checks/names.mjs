const specifier = /`(@sojourn\/[\w-]+)(\/[\w./-]+)?`/g

/** The newest section of a change log. */
const newest = (log) => log.split(/^## /m)[1] ?? ""

/** Whether the modules that a text names exist. `packages` are all that there are; older versions may have had others. */
export const names = ({ files }, packages) => {
  const exported = new Map(packages.map(({ name, manifest }) => [name, manifest.exports]))
  const texts = [...files].filter(([path]) => path.endsWith(".md"))
  return texts.flatMap(([path, data]) => {
    const text = data.toString("utf8")
    return [...(path === "CHANGELOG.md" ? newest(text) : text).matchAll(specifier)]
      .filter(([, name, subpath]) => !exported.get(name)?.[subpath === undefined ? "." : `.${subpath}`])
      .map(([named]) => `names: ${path} names ${named}, which does not exist`)
  })
}
