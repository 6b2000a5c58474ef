/** Steps that are done again only when files changed. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { exclusively } from "./lock.mjs"
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

/**
 * Does a step, one process at a time, unless it was done for the fingerprint that `wanted` gives and what it makes still exists.
 */
export const unlessDone = async ({ name, stampFile, wanted, exists = () => true }, work) => {
  const isDone = (stamp) => exists() && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp
  if (isDone(wanted())) return
  await exclusively(name, async () => {
    const stamp = wanted()
    if (isDone(stamp)) return
    await work()
    mkdirSync(dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, stamp)
  })
}
