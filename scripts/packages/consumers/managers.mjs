/** How npm and pnpm install the tarballs into a project. None of the packages is looked for in the registry. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pnpm } from "../../workspace/install.mjs"
import { started } from "./started.mjs"

/** npm takes a package that stands at the top for every dependency on it. */
const npm = {
  prepare: () => {},
  install: ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"],
  run: (command, args) => ["npx", "--no", "--", command, ...args]
}

/** Overrides say where the dependencies of the packages come from. */
const pnpmManager = {
  prepare: (folder, tarballs) =>
    writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ overrides: tarballs, allowBuilds: {} })),
  install: ["npx", "--yes", pnpm, "install", "--reporter=silent", "--ignore-scripts"],
  run: (command, args) => ["npx", "--yes", pnpm, "exec", command, ...args]
}

export const managers = { npm, pnpm: pnpmManager }

/**
 * A cache of npm's in which nothing was ever run, with the downloads of the real one: `npx` would run again what it
 * installed for other tarballs of the same name.
 */
export const freshCache = async (folder, path) => {
  const real = (await started("npm", ["config", "get", "cache"], { cwd: folder, path })).trim().split("\n").at(-1)
  const cache = join(folder, "npm-cache")
  mkdirSync(cache)
  mkdirSync(join(real, "_cacache"), { recursive: true })
  symlinkSync(join(real, "_cacache"), join(cache, "_cacache"), "junction")
  return cache
}
