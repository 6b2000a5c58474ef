/** The repository that the pages come from. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

/** A path of the repository on this machine. */
export const at = (path: string): string => join(root, path)

export const read = (path: string): string => readFileSync(at(path), "utf8")

/** Where the repository is; a placeholder until a release names it. */
export const home: string = JSON.parse(read("package.json")).repository

export const isFile = (path: string): boolean => existsSync(at(path)) && statSync(at(path)).isFile()

export const isFolder = (path: string): boolean => existsSync(at(path)) && statSync(at(path)).isDirectory()

/** Every file below a folder that `accept` takes, in a fixed order. */
export const filesBelow = (folder: string, accept: (path: string) => boolean): ReadonlyArray<string> =>
  readdirSync(at(folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist" && !name.startsWith("."))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path, accept) : accept(path) ? [path] : []
    })
    .sort()
