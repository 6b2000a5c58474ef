/** The change logs, as texts. */

/** Headings for readers: before 1.0.0 a minor version may ask for changes, and a patch never does. */
const headings = [
  ["### Major Changes", "### What you must change"],
  ["### Minor Changes", "### Changes"],
  ["### Patch Changes", "### Corrections"]
]

/**
 * A change log as changesets leave it, with headings that say what is below them. A section with nothing in it says that the
 * version is the others'.
 */
export const readable = (log) => {
  const named = headings.reduce((text, [from, to]) => text.replaceAll(from, to), log.replaceAll("\r\n", "\n"))
  const filled = named.replaceAll(/^### .*\n\s*(?=^### |^## |$(?![\s\S]))/gm, "")
  return (
    filled
      .replaceAll(/^(## .*)\n\s*(?=^## |$(?![\s\S]))/gm, "$1\n\nAs before, with the version of the other packages.\n\n")
      .trimEnd() + "\n"
  )
}

/** What a change log says of one version, without its heading; undefined when it does not know the version. */
export const sectionOf = (log, version) => {
  const sections = log.split(/^## /m).slice(1)
  const found = sections.find((section) => section.split("\n", 1)[0].trim() === version)
  return found?.slice(found.indexOf("\n")).trim()
}

/** The notes of a release: what each package's change log says of it, in this order. `logs` are pairs of names and texts. */
export const notes = (logs, version) =>
  logs
    .flatMap(([name, log]) => {
      const section = sectionOf(log, version)
      return section === undefined ? [] : [`## ${name}\n\n${section.replaceAll(/^### /gm, "#### ")}\n`]
    })
    .join("\n")
