import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

const link = (target: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, "junction")
}

/**
 * A small copy of the workspace outside of it: the manifests and the rules are the real ones, the sources are `files`.
 * Its packages find each other and the installed dependencies as the real ones do.
 */
export const plant = (files: Record<string, string>): string => {
  const tree = mkdtempSync(join(tmpdir(), "sojourn-planted-"))
  const names = readdirSync(join(root, "packages"))
  const copied = [".oxlintrc.json", "package.json", ...names.map((name) => `packages/${name}/package.json`)]
  const real = Object.fromEntries(copied.map((path) => [path, readFileSync(join(root, path), "utf8")]))
  for (const [path, text] of Object.entries({ ...real, ...files })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  link(join(root, "scripts"), join(tree, "scripts"))
  link(join(root, "node_modules"), join(tree, "node_modules"))
  for (const name of names) {
    const modules = join(root, "packages", name, "node_modules")
    for (const scope of readdirSync(modules).filter((entry) => entry !== "@sojourn" && !entry.startsWith("."))) {
      link(join(modules, scope), join(tree, "packages", name, "node_modules", scope))
    }
    for (const other of names) {
      link(join(tree, "packages", other), join(tree, "packages", name, "node_modules", "@sojourn", other))
    }
  }
  return tree
}

export const uproot = (tree: string) => rmSync(tree, { recursive: true, force: true })
