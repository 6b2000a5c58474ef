import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a directory, and those above it, where there is none, and returns whether it did; what it makes is for `mode`. Node's own
 * `recursive` never ends where a directory says that a new entry's parent is absent, as `/proc` does.
 */
export const makeDirectory = (path: string, mode: number): boolean => {
  if (isDirectory(path)) return false
  const above = dirname(path)
  if (!existsSync(above)) makeDirectory(above, mode)
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    // Another process was quicker.
    if (isDirectory(path)) return false
    throw error
  }
}
