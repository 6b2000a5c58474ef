/** What the licences of bundled code ask for: that their texts go with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { at } from "./paths.mjs"

/** The folder of the installed package that a file is of; none for a file of the workspace. */
const packageOf = (file) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/"))?.[1]

const licenceOf = (folder) => {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying|unlicense)(\.|$)/i.test(name))
  return file === undefined ? undefined : readFileSync(join(folder, file), "utf8").trim()
}

/** What packages hold of others without saying so. */
const HELD = {
  effect: "It holds @scalar/api-reference of Scalar (https://github.com/scalar), under the same licence.\n\n"
}

const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return `${name} ${version} (${license})\n\n${HELD[name] ?? ""}${licenceOf(folder) ?? `It comes without a text of its licence, ${license}.`}\n`
}

/** The text for a bundle `name` of these files, as esbuild's metafile names them: each package once, in order. */
export const noticesOf = (name, files, from) => {
  const folders = new Set(
    files
      .map((file) => packageOf(at(from, file)))
      .filter((folder) => folder && existsSync(join(folder, "package.json")))
  )
  const notices = [...folders].map(noticeOf).toSorted()
  return [`${name} holds code of these packages.\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`)
}
