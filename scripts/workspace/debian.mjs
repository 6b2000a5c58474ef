/**
 * Programs from Debian's packages, unpacked below `.cache`: nothing is installed, started or configured on the machine itself.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import { at } from "./paths.mjs"

/** Where the packages of a program are unpacked. */
export const unpackedAt = (name) => at(".cache", name)

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : []
  )

/**
 * What a program of an unpacked system needs to find its libraries, such as those in `usr/lib/x86_64-linux-gnu`. Some of them
 * have libraries of their own in a folder there, which they look for where it would be if they were installed.
 */
export const librariesOf = (root) => {
  const folders = foldersIn(join(root, "usr", "lib")).filter((folder) => basename(folder).includes("-linux-"))
  return { LD_LIBRARY_PATH: folders.flatMap((folder) => [folder, ...foldersIn(folder)]).join(delimiter) }
}

const isRoot = process.getuid?.() === 0

/** How long each of apt's steps may take, in milliseconds. */
const patience = 120_000

const apt = (args, options = {}) =>
  spawnSync(
    "apt-get",
    ["-q", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "APT::Sandbox::User=root", ...args],
    { encoding: "utf8", timeout: patience, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, ...options }
  )

/** The packages that this machine lacks for one of them, by name; undefined when apt does not know. */
const missingPackages = (name) => {
  const { status, stdout } = apt(["install", "--simulate", "--no-install-recommends", name])
  return status === 0 ? [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, found]) => found) : undefined
}

/** Fetches the packages that this one needs and unpacks them. Says why not, when it does not work. */
export const unpackDebian = (name) => {
  if (process.platform !== "linux" || apt(["--version"]).status !== 0) return "there is no apt-get here"
  let packages = missingPackages(name)
  if (packages === undefined && isRoot && apt(["update"]).status === 0) packages = missingPackages(name)
  if (packages === undefined || packages.length === 0) return `apt-get knows no package ${name}`
  mkdirSync(at(".cache"), { recursive: true })
  const work = mkdtempSync(at(".cache", `${name}-`))
  try {
    if (apt(["download", ...packages], { cwd: work }).status !== 0) return "apt-get cannot download its packages"
    const root = join(work, "root")
    for (const file of readdirSync(work).filter((one) => one.endsWith(".deb"))) {
      if (spawnSync("dpkg-deb", ["-x", join(work, file), root]).status !== 0) return `dpkg-deb cannot unpack ${file}`
    }
    rmSync(unpackedAt(name), { recursive: true, force: true })
    renameSync(root, unpackedAt(name))
    return undefined
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
