/** Whether files changed since a step was last done. */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { at } from "./paths.mjs"

/** Every file below a folder, in a fixed order. */
export const filesBelow = (folder) =>
  readdirSync(at(folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
    .sort()

/** One hash over the names and contents of files, and over words that matter as well. */
export const fingerprint = (files, ...words) => {
  const hash = createHash("sha256").update(JSON.stringify(words))
  for (const file of files) {
    const content = readFileSync(at(file))
    hash.update(`\n${file}\n${content.length}\n`).update(content)
  }
  return hash.digest("hex")
}

/** What the step left when it was last done, if ever. */
export const readStamp = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

export const writeStamp = (path, stamp) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, stamp)
}
