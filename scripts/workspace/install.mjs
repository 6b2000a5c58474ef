/** Installs the dependencies of the lock file with the pinned pnpm, when something changed since the last time. */
import { spawnSync } from "node:child_process"
import { at, packageFolders, root } from "./paths.mjs"
import { fingerprint, unlessDone } from "./fingerprint.mjs"
import { exclusively } from "./lock.mjs"
import { run, toStderr } from "./processes.mjs"

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

const stampFile = at("node_modules", ".sojourn-install")

const wanted = () =>
  fingerprint(
    [
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "package.json",
      ...packageFolders().map((folder) => `${folder}/package.json`)
    ],
    pnpm,
    process.platform,
    process.arch
  )

/** Stryker, which nothing but `npm run mutation` needs: the folder is a workspace of its own, with a lock file of its own. */
export const installMutation = () =>
  exclusively("install", async () => {
    const code = await runPnpm(["--dir", at("scripts", "mutation"), "install", "--frozen-lockfile"])
    if (code !== 0) throw new Error(`the installation of Stryker failed (exit code ${code})`)
  })

/** Installs when something changed since the last time, and costs a few milliseconds when nothing did. */
export const install = () =>
  unlessDone({ name: "install", stampFile, wanted }, async () => {
    const code = await runPnpm(["install", "--frozen-lockfile"])
    if (code !== 0) throw new Error(`the installation of the dependencies failed (exit code ${code})`)
  })
