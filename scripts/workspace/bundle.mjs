/** The server and its command line as one file, from the sources. It starts several times faster than they do. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { at, packageFolders } from "./paths.mjs"
import { filesBelow, fingerprint, unlessDone } from "./fingerprint.mjs"
import { noticesOf } from "./notices.mjs"
import { runTool, toStderr } from "./processes.mjs"

const target = at("packages", "server", "dist", "sojourn.js")
const notices = at("packages", "server", "dist", "THIRD-PARTY-NOTICES.txt")
const stampFile = at(".cache", "bundle.stamp")

const sources = () =>
  packageFolders()
    .map((folder) => `${folder}/src`)
    .filter((folder) => existsSync(at(folder)))
    .flatMap(filesBelow)

const wanted = () =>
  fingerprint([
    ...sources(),
    ...packageFolders().map((folder) => `${folder}/package.json`),
    "packages/server/tsup.bundle.config.ts",
    "scripts/workspace/bundle.mjs",
    "scripts/workspace/notices.mjs",
    "pnpm-lock.yaml"
  ])

/** Others may be starting the old bundle at this moment: the new one takes its name only when it is whole. */
const publish = (folder) => {
  const built = join(folder, "sojourn.js")
  const code = readFileSync(built, "utf8")
  if (!code.startsWith("#!")) writeFileSync(built, `#!/usr/bin/env node\n${code}`)
  chmodSync(built, 0o755)
  mkdirSync(join(target, ".."), { recursive: true })
  const { inputs } = JSON.parse(readFileSync(join(folder, "metafile-esm.json"), "utf8"))
  writeFileSync(notices, noticesOf("sojourn.js", Object.keys(inputs), join("packages", "server")))
  renameSync(built, target)
}

const make = async () => {
  const folder = at(".cache", `bundle-${process.pid}`)
  try {
    const code = await runTool("tsup", ["--config", "tsup.bundle.config.ts", "--out-dir", folder, "--silent"], {
      cwd: at("packages", "server"),
      stdio: toStderr
    })
    if (code !== 0) throw new Error(`the bundling of the server failed (exit code ${code})`)
    publish(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives the path of the bundle, which it first builds when a source changed. */
export const bundle = async () => {
  const exists = () => existsSync(target) && existsSync(notices)
  await unlessDone({ name: "bundle", stampFile, wanted, exists }, make)
  return target
}
