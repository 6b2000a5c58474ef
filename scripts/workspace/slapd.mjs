/**
 * OpenLDAP's server, for the tests of `@sojourn/adapter-ldap`: the one of the machine, or Debian's, unpacked below `.cache`.
 * Nothing is installed, started or configured on the machine itself.
 *
 * `node scripts/workspace/slapd.mjs` says what there is.
 */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { librariesOf, unpackDebian, unpackedAt } from "./debian.mjs"
import { exclusively } from "./lock.mjs"

const unpacked = unpackedAt("slapd")

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
  const env = root === unpacked ? librariesOf(root) : {}
  return { program, modules, schema, env }
}

const advice =
  "Install OpenLDAP's slapd (Debian and Ubuntu: apt-get install slapd), or name it in SOJOURN_SLAPD.\n" +
  "Without it the tests of LDAP are skipped; with SOJOURN_REQUIRE_SLAPD=1 they fail."

/** Makes sure that there is a slapd, where that is possible, and says in one line what there is. */
export const slapd = async () => {
  const reason =
    findSlapd() === undefined ? await exclusively("slapd", async () => findSlapd() ?? unpackDebian("slapd")) : undefined
  const found = findSlapd()
  if (found === undefined) console.log(`slapd: none (${reason}).\n${advice}`)
  else console.log(`slapd: ${found.program}`)
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await slapd()
