import { posix } from "node:path"

/** The maps of a package, by their paths, each with what it has of its sources. */
const sourcesOf = (path, data) => {
  const { sources, sourcesContent } = JSON.parse(data.toString("utf8"))
  return sourcesContent === undefined ? sources.map((source) => posix.join(posix.dirname(path), source)) : []
}

/** Whether each declaration has a map that leads to a source in the package, so that editors go to the definition. */
export const maps = ({ files }) => {
  const unmapped = [...files.keys()].filter((path) => path.endsWith(".d.ts") && path.startsWith("dist/"))
  const broken = [...files]
    .filter(([path]) => path.endsWith(".map"))
    .flatMap(([path, data]) => sourcesOf(path, data).map((source) => [path, source]))
  return [
    ...unmapped.filter((path) => !files.has(`${path}.map`)).map((path) => `maps: ${path} has none`),
    ...broken
      .filter(([, source]) => !files.has(source))
      .map(([path, source]) => `maps: ${path} leads to ${source}, which is not in the package`)
  ]
}
