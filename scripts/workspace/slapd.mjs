/**
 * OpenLDAP's server, for the tests of `@sojourn/adapter-ldap`: the one of the machine, or Debian's, unpacked below `.cache`.
 * Nothing is installed, started or configured on the machine itself.
 *
 * `node scripts/workspace/slapd.mjs` says what there is.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { exclusively } from "./lock.mjs"
import { at } from "./paths.mjs"

const unpacked = at(".cache", "slapd")

/** Where systems keep it. The path has rarely the folders of servers in it. */
const folders = () => [
  join(unpacked, "usr", "sbin"),
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/libexec",
  "/usr/local/libexec",
  "/opt/homebrew/opt/openldap/libexec"
]

const firstOf = (...paths) => paths.find((path) => existsSync(path))

/** The folders of libraries of an unpacked system, such as `usr/lib/x86_64-linux-gnu`. */
const libraries = (root) => {
  const lib = join(root, "usr", "lib")
  return readdirSync(lib)
    .filter((name) => name.includes("-linux-"))
    .map((name) => join(lib, name))
}

/**
 * The server, or undefined: its `program`, its `modules` when its backends are in files of their own, its `schema`, and the
 * `env` that it needs.
 */
export const findSlapd = () => {
  const own = process.env.SOJOURN_SLAPD
  const program = own ?? firstOf(...folders().map((folder) => join(folder, "slapd")))
  if (program === undefined || !existsSync(program)) return undefined
  const root = program.startsWith(unpacked) ? unpacked : "/"
  const schema = firstOf(
    join(root, "etc", "ldap", "schema"),
    join(root, "etc", "openldap", "schema"),
    "/usr/local/etc/openldap/schema",
    "/opt/homebrew/etc/openldap/schema"
  )
  if (schema === undefined) return undefined
  const modules = firstOf(
    ...["ldap", "openldap"].map((name) => join(root, "usr", "lib", name)),
    join(root, "usr", "lib64", "openldap")
  )
  const env = root === unpacked ? { LD_LIBRARY_PATH: libraries(root).join(delimiter) } : {}
  return { program, modules, schema, env }
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

/** The packages that this machine lacks for slapd, by name; undefined when apt does not know. */
const missingPackages = () => {
  const { status, stdout } = apt(["install", "--simulate", "--no-install-recommends", "slapd"])
  return status === 0 ? [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name) : undefined
}

/** Fetches Debian's packages and unpacks them. Says why not, when it does not work. */
const unpack = () => {
  if (process.platform !== "linux" || apt(["--version"]).status !== 0) return "there is no apt-get here"
  let packages = missingPackages()
  if (packages === undefined && isRoot && apt(["update"]).status === 0) packages = missingPackages()
  if (packages === undefined || packages.length === 0) return "apt-get knows no package slapd"
  mkdirSync(at(".cache"), { recursive: true })
  const work = mkdtempSync(at(".cache", "slapd-"))
  try {
    if (apt(["download", ...packages], { cwd: work }).status !== 0) return "apt-get cannot download its packages"
    const root = join(work, "root")
    for (const file of readdirSync(work).filter((name) => name.endsWith(".deb"))) {
      if (spawnSync("dpkg-deb", ["-x", join(work, file), root]).status !== 0) return `dpkg-deb cannot unpack ${file}`
    }
    rmSync(unpacked, { recursive: true, force: true })
    renameSync(root, unpacked)
    return undefined
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const advice =
  "Install OpenLDAP's slapd (Debian and Ubuntu: apt-get install slapd), or name it in SOJOURN_SLAPD.\n" +
  "Without it the tests of LDAP are skipped; with SOJOURN_REQUIRE_SLAPD=1 they fail."

/** Makes sure that there is a slapd, where that is possible, and says in one line what there is. */
export const slapd = async () => {
  const reason = findSlapd() === undefined ? await exclusively("slapd", async () => findSlapd() ?? unpack()) : undefined
  const found = findSlapd()
  if (found === undefined) console.log(`slapd: none (${reason}).\n${advice}`)
  else console.log(`slapd: ${found.program}`)
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await slapd()
