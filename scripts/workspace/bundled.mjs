/**
 * Completes a package that holds the code of others: with their declarations, so that it needs none of them, and with their
 * licences. What it holds tsup's metafile says.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { at } from "./paths.mjs"
import { noticesOf } from "./notices.mjs"

const imported = /(?<=\b(?:from|import)\s*\(?\s*")[^"]+(?=")/g

const slashes = (path) => path.replaceAll("\\", "/")

/** The declarations that an import by name leads to, in the folder of that package. */
const declarationsOf = (name, from) => {
  const [scope, bare, ...rest] = name.split("/")
  const folder = join(from, "node_modules", scope, bare)
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return { folder, types: exports[["."].concat(rest).join("/")].types }
}

/** Copies a file of declarations and whatever it imports by path, to the same place below another folder. */
const copy = (file, from, to) => {
  const target = join(to, relative(from, file))
  if (existsSync(target)) return
  const text = readFileSync(file, "utf8")
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text.replace(/\n\/\/# sourceMappingURL=.*/, ""))
  for (const [path] of text.matchAll(imported)) copy(join(dirname(file), path.replace(/\.[jt]s$/, ".d.ts")), from, to)
}

/** Brings the declarations of the workspace's packages that those in `dist` import, to `dist/<package>`. */
const bringDeclarations = (folder) => {
  const dist = join(folder, "dist")
  const own = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".d.ts"))
  for (const file of own.map((path) => join(dist, path))) {
    const text = readFileSync(file, "utf8").replaceAll(imported, (name) => {
      if (!name.startsWith("@sojourn/")) return name
      const { folder: other, types } = declarationsOf(name, folder)
      const place = join(dist, name.split("/")[1])
      copy(join(other, types), join(other, "dist"), place)
      const path = slashes(relative(dirname(file), join(place, relative("dist", types))))
      return `./${path.replace(/\.d\.ts$/, ".js")}`
    })
    writeFileSync(file, text)
  }
}

/** Completes the package in this folder, if tsup left a metafile. */
export const completeBundle = (folder) => {
  const metafile = at(folder, "dist", "metafile-esm.json")
  if (!existsSync(metafile)) return
  const { inputs } = JSON.parse(readFileSync(metafile, "utf8"))
  rmSync(metafile)
  bringDeclarations(at(folder))
  // The compiler writes its declarations anew when it is next asked for them: these are for what is packed.
  rmSync(at(folder, "dist", ".tsbuildinfo"))
  writeFileSync(at(folder, "dist", "THIRD-PARTY-NOTICES.txt"), noticesOf("index.js", Object.keys(inputs), folder))
}
