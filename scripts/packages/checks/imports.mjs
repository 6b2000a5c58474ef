/** Checks that the manifest declares what the packed files import: bundling may add or drop imports that the sources have. */
import { isBuiltin } from "node:module"
import { init, parse } from "es-module-lexer"

await init

const isRelative = (specifier) => /^\.{0,2}\//.test(specifier)

/** Whether a specifier is one of Node's modules, or `node` for the types of all of them. */
const isOfNode = (specifier) => specifier === "node" || isBuiltin(specifier)

const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

const ofJavaScript = (text) => parse(text)[0].flatMap(({ n }) => (n === undefined ? [] : [n]))

const ofDeclarations = (text) => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/(?!\/).*$/gm, "")
  const patterns = [/\bfrom\s*["']([^"']+)["']/g, /\bimport\s*\(?\s*["']([^"']+)["']/g, /<reference types="([^"]+)"/g]
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, specifier]) => specifier))
}

/**
 * Whether a package imports what its manifest declares, all of that and nothing else, in its JavaScript and in its
 * declarations. Types of Node's modules are the exception: a project that compiles for Node has them. Optional dependencies are not
 * missed: their names are put together where they are looked for.
 */
export const imports = ({ name, manifest, files }) => {
  const found = [...files].flatMap(([path, data]) => {
    const read = path.endsWith(".js") ? ofJavaScript : path.endsWith(".d.ts") ? ofDeclarations : () => []
    return read(data.toString("utf8"))
      .filter((specifier) => !isRelative(specifier) && !isOfNode(specifier))
      .map((specifier) => [packageOf(specifier), path])
  })
  const required = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const declared = new Set([...required, ...Object.keys(manifest.optionalDependencies ?? {}), name])
  const used = new Set(found.map(([other]) => other))
  const undeclared = new Map(found.filter(([other]) => !declared.has(other)))
  return [
    ...[...undeclared].map(([other, path]) => `imports: ${path} imports ${other}, which is not declared`),
    ...required.filter((other) => !used.has(other)).map((other) => `imports: ${other} is declared, but never imported`)
  ]
}
