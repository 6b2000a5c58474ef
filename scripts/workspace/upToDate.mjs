/** Make's rule: a step is done again when something it reads is newer than what it made. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { at } from "./paths.mjs"

/** The time of the newest change at or below a path. A folder counts as well: its time is that of the last file added or removed. */
const changedAt = (path) => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

/** Whether all targets exist and none is older than a source. Sources are files and folders of the workspace. */
export const isUpToDate = (targets, sources) => {
  const made = targets.map((target) => statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity)
  return Math.min(...made) >= Math.max(...sources.map((source) => changedAt(at(source))))
}
