/**
 * Copies the modules that a package imports of another package of ours into its `dist`, with their declarations, maps and sources, so
 * that its users install nothing else of ours.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { at } from "./paths.mjs"

/** Packages for devices: `@sojourn/core` would bring Effect. */
const standalone = new Set(["packages/tracker"])

const imported = /(?<=\b(?:from|import)\s*\(?\s*")[^"]+(?=")/g

const slashes = (path) => path.replaceAll("\\", "/")

const withExtension = (file, extension) => file.replace(/(\.d)?\.[jt]s$/, extension)

/** The built module that an import by name leads to, in the folder of that package. */
const moduleOf = (name, from) => {
  const [scope, bare, ...rest] = name.split("/")
  const folder = join(from, "node_modules", scope, bare)
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return { folder, file: join(folder, exports[["."].concat(rest).join("/")].default) }
}

/** Copies one file to the same place below another folder. The folders keep their distances, so maps stay right. */
const copy = (file, from, to) => {
  const target = join(to, relative(from, file))
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(file, target)
}

/** Copies a module, as `.js` or as `.d.ts`, and the modules that it imports by path. */
const copyModule = (file, from, to) => {
  if (existsSync(join(to, relative(from, file)))) return
  const source = join(from, "src", relative(join(from, "dist"), withExtension(file, ".ts")))
  for (const one of [file, `${file}.map`, source]) copy(one, from, to)
  const extension = file.endsWith(".d.ts") ? ".d.ts" : ".js"
  for (const [path] of readFileSync(file, "utf8").matchAll(imported)) {
    if (path.startsWith(".")) copyModule(join(dirname(file), withExtension(path, extension)), from, to)
  }
}

/** Brings the modules of ours that those in `dist` import by name, to `dist/<package>/`. */
export const bringModules = (folder) => {
  if (!standalone.has(folder)) return
  const dist = at(folder, "dist")
  const { name: own } = JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))
  const files = readdirSync(dist, { recursive: true })
    .filter((file) => /\.(d\.ts|js)$/.test(file))
    .map((path) => join(dist, path))
  for (const file of files) {
    const text = readFileSync(file, "utf8").replaceAll(imported, (name) => {
      if (!name.startsWith("@sojourn/") || name === own) return name
      const { folder: other, file: js } = moduleOf(name, at(folder))
      const to = join(dist, name.split("/")[1])
      copyModule(withExtension(js, file.endsWith(".d.ts") ? ".d.ts" : ".js"), other, to)
      return `./${slashes(relative(dirname(file), join(to, relative(other, js))))}`
    })
    writeFileSync(file, text)
  }
  // The compiler writes its files anew when it is next asked for them: these are for what is packed.
  rmSync(at(folder, "dist", ".tsbuildinfo"))
}
