/** Installs the dependencies of the lock file with the pinned pnpm, when something changed since the last time. */
import { spawnSync } from "node:child_process"
import { at, packageFolders, root } from "./paths.mjs"
import { run, toStderr } from "./processes.mjs"
import { isUpToDate } from "./upToDate.mjs"

/** The one place that says which pnpm this workspace uses. */
export const pnpm = "pnpm@12.21.0"

/** Runs pnpm by npx, so that it needs no installation. Its output goes to stderr; with CI set it asks no questions. */
export const runPnpm = (args) =>
  run("npx", ["--yes", pnpm, ...args], { stdio: toStderr, shell: process.platform === "win32", env: { CI: "true" } })

/** Runs pnpm and returns its stdout. */
export const capturePnpm = (args) => {
  const { status, stdout, stderr } = spawnSync("npx", ["--yes", pnpm, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e8,
    shell: process.platform === "win32"
  })
  if (status !== 0) throw new Error(`pnpm ${args.join(" ")} failed:\n${stderr}${stdout}`)
  return stdout
}

/** pnpm renews it at the end of each install. */
const INSTALLED = at("node_modules", ".pnpm-workspace-state-v1.json")

const manifests = () => [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  ...packageFolders().map((folder) => `${folder}/package.json`)
]

const runInstall = async (...folder) => {
  const code = await runPnpm([...folder, "install", "--frozen-lockfile"])
  if (code !== 0) throw new Error(`the installation of the dependencies failed (exit code ${code})`)
}

/** Stryker, which nothing but `npm run mutation` needs: the folder is a workspace of its own, with a lock file of its own. */
export const installMutation = () => runInstall("--dir", at("scripts", "mutation"))

/**
 * Installs when a manifest is newer than the last install. Two commands may do it at once: pnpm links each package under a
 * temporary name and renames it, so both end with the same `node_modules`.
 */
export const install = async () => {
  if (!isUpToDate([INSTALLED], manifests())) await runInstall()
}
