/** The server and its command line as one file, from the sources. It starts several times faster than they do. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { at, packageFolders } from "./paths.mjs"
import { noticesOf } from "./notices.mjs"
import { runTool, toStderr } from "./processes.mjs"
import { isUpToDate } from "./upToDate.mjs"

const target = at("packages", "server", "dist", "sojourn.js")
const notices = at("packages", "server", "dist", "THIRD-PARTY-NOTICES.txt")

const sources = () => [
  ...packageFolders()
    .flatMap((folder) => [`${folder}/src`, `${folder}/package.json`])
    .filter((path) => existsSync(at(path))),
  "packages/server/tsup.bundle.config.ts",
  "scripts/workspace/bundle.mjs",
  "scripts/workspace/notices.mjs",
  "pnpm-lock.yaml"
]

/**
 * Others may start the old bundle, or make another, at this moment: the new one takes its name only when it is whole. It is as old as
 * the start of its build, so that a source that changed meanwhile is newer.
 */
const publish = (folder, started) => {
  const built = join(folder, "sojourn.js")
  const code = readFileSync(built, "utf8")
  if (!code.startsWith("#!")) writeFileSync(built, `#!/usr/bin/env node\n${code}`)
  chmodSync(built, 0o755)
  mkdirSync(join(target, ".."), { recursive: true })
  const { inputs } = JSON.parse(readFileSync(join(folder, "metafile-esm.json"), "utf8"))
  writeFileSync(notices, noticesOf("sojourn.js", Object.keys(inputs), join("packages", "server")))
  for (const made of [built, notices]) utimesSync(made, started, started)
  renameSync(built, target)
}

const make = async () => {
  const started = new Date()
  const folder = at(".cache", `bundle-${process.pid}`)
  try {
    const code = await runTool("tsup", ["--config", "tsup.bundle.config.ts", "--out-dir", folder, "--silent"], {
      cwd: at("packages", "server"),
      stdio: toStderr
    })
    if (code !== 0) throw new Error(`the bundling of the server failed (exit code ${code})`)
    publish(folder, started)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives the path of the bundle, which it first builds when a source is newer. */
export const bundle = async () => {
  if (!isUpToDate([target, notices], sources())) await make()
  return target
}
