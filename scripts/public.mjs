/**
 * Looks whether the manifests export the public modules of their packages, and whether public declarations have their tags. With
 * `--write` it adds what is missing, and the repository's address; read it then, as categories are guessed.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { exportsOf } from "./public/exports.mjs"
import { addTags, untagged } from "./public/tags.mjs"
import { withRepository } from "./release/repository.mjs"
import { at, packageFolders } from "./workspace/paths.mjs"
import { runTool } from "./workspace/processes.mjs"

const folders = packageFolders().filter((folder) => folder.startsWith("packages/"))
const manifestOf = (folder) => JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))

const { repository } = manifestOf(".")

const faults = () =>
  folders.flatMap((folder) => {
    const manifest = manifestOf(folder)
    const wanted = exportsOf(at(folder), manifest)
    const isRight = JSON.stringify(wanted) === JSON.stringify(manifest.exports)
    return [
      ...(isRight ? [] : [`${folder}/package.json: exports are not those of its public modules`]),
      ...untagged(at(folder), manifest).map(({ file, name }) => `${folder}/${file}: ${name} lacks @since or @category`)
    ]
  })

const write = () => {
  for (const folder of folders) {
    const old = manifestOf(folder)
    const changed = { ...old, exports: exportsOf(at(folder), old), publishConfig: { access: "public" } }
    const manifest = withRepository(changed, folder, repository)
    writeFileSync(at(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
    addTags(at(folder), manifest)
  }
  return runTool("oxfmt", folders)
}

if (process.argv.includes("--write")) await write()
const found = faults()
for (const fault of found) console.error(`FAULT ${fault}`)
process.exitCode = found.length === 0 ? 0 : 1
