/** Small workspaces with the real rules and planted sources, for the tests of those rules. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const link = (target: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, "junction")
}

/** A small workspace outside of this one: the rules are the real ones, the sources are `files`. */
export const plant = (files: Record<string, string>): string => {
  const tree = mkdtempSync(join(tmpdir(), "sojourn-planted-"))
  write(join(tree, ".oxlintrc.json"), readFileSync(join(root, ".oxlintrc.json"), "utf8"))
  link(join(root, "scripts"), join(tree, "scripts"))
  for (const [path, text] of Object.entries(files)) write(join(tree, path), text)
  return tree
}

/** Gives the planted packages their real manifests, so that they find each other and their dependencies. */
export const install = (tree: string) => {
  const names = readdirSync(join(root, "packages"))
  for (const name of names) {
    const [from, to] = [join(root, "packages", name), join(tree, "packages", name)]
    write(join(to, "package.json"), readFileSync(join(from, "package.json"), "utf8"))
    for (const entry of readdirSync(join(from, "node_modules"))) {
      if (entry === "@sojourn" || entry.startsWith(".")) continue
      link(join(from, "node_modules", entry), join(to, "node_modules", entry))
    }
    for (const other of names) link(join(tree, "packages", other), join(to, "node_modules", "@sojourn", other))
  }
  write(join(tree, "package.json"), readFileSync(join(root, "package.json"), "utf8"))
  link(join(root, "node_modules"), join(tree, "node_modules"))
}

export const uproot = (tree: string) => rmSync(tree, { recursive: true, force: true })
