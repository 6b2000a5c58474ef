/** The modules that a package exports, and the declarations in them, read from its sources. */
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/
const FORWARD = /^export (?:type )?(?:(\*)(?: as \w+)?|\{([^}]*)\}) from "(\.[^"]+)"/gm

const read = (file) => readFileSync(file, "utf8")

/** The names that a module declares and exports, with the index of their first line. */
export const declarationsOf = (text) => {
  const found = new Map()
  for (const [line, code] of text.split("\n").entries()) {
    const name = DECLARATION.exec(code)?.[1]
    // The signatures of an overloaded function follow the first.
    if (name !== undefined && !found.has(name)) found.set(name, line)
  }
  return found
}

/** What a module exports of other modules of its package: the module, and the names, or none when it exports it whole. */
const forwards = (file) =>
  [...read(file).matchAll(FORWARD)].map(([, all, names, path]) => ({
    file: join(dirname(file), path),
    names: all
      ? undefined
      : names
          .split(",")
          .map(
            (name) =>
              name
                .trim()
                .replace(/^type /, "")
                .split(" as ")[0]
          )
          .filter((name) => name !== "")
  }))

/** Whether these are all names that a module exports. */
const isWhole = ({ file, names }) => {
  if (names === undefined) return true
  const inner = forwards(file)
  const own = [...declarationsOf(read(file)).keys(), ...inner.flatMap((one) => one.names ?? ["*"])]
  return own.length > 0 && own.every((name) => names.includes(name))
}

/** The exports of a manifest that have a source, by their subpaths. */
export const entriesOf = ({ exports = {} }) =>
  Object.entries(exports).flatMap(([subpath, target]) =>
    target?.source === undefined ? [] : [[subpath, target.source]]
  )

/** The subpath of a module: its name alone, so that folders may change. */
const subpathOf = (file) => `./${basename(file) === "index.ts" ? basename(dirname(file)) : basename(file, ".ts")}`

/** The modules that `src/index.ts` of a package exports whole, by the subpaths that they have or should have. */
export const wholeModules = (folder) => {
  const index = join(folder, "src", "index.ts")
  const found = new Map()
  for (const forward of forwards(index)) {
    const names = forwards(index)
      .filter(({ file }) => file === forward.file)
      .flatMap((one) => one.names ?? [])
    if (isWhole({ ...forward, names: forward.names && names })) found.set(forward.file, subpathOf(forward.file))
  }
  return [...found].map(([file, subpath]) => ({ file, subpath }))
}

/** Every declaration that can be imported from a package: pairs of a file and the names in it. */
export const publicDeclarations = (folder, manifest) => {
  const found = new Map()
  const take = (file, names) => {
    const known = found.get(file) ?? new Set()
    found.set(file, known)
    const own = declarationsOf(read(file))
    const missing = new Set(names ?? own.keys())
    for (const name of own.keys()) {
      if (missing.delete(name)) known.add(name)
    }
    for (const inner of forwards(file)) {
      if (names === undefined) take(inner.file, inner.names)
      else take(inner.file, inner.names?.filter((name) => names.includes(name)) ?? [...missing])
    }
  }
  for (const [, source] of entriesOf(manifest)) {
    const file = join(folder, source)
    if (existsSync(file)) take(file, undefined)
  }
  return found
}
