/** A real OpenLDAP server for the time of a test, with a directory of its own. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Certificate } from "./certificates.ts"
import { type LdifEntry, toLdif } from "./ldif.ts"
import { findProgram, firstOf, freePorts, runServer, unlessMissing } from "./programs.ts"

interface Program {
  readonly program: string
  readonly modules: string | undefined
  readonly schema: string
}

/** The server that SOJOURN_SLAPD names, or the one of the machine. */
const findSlapd = (): Program | undefined => {
  const program = findProgram("slapd", process.env.SOJOURN_SLAPD)
  const schema = firstOf(
    ["/etc", "/usr/local/etc", "/opt/homebrew/etc"].flatMap((folder) => [
      `${folder}/ldap/schema`,
      `${folder}/openldap/schema`
    ])
  )
  if (program === undefined || schema === undefined) return undefined
  return { program, schema, modules: firstOf(["/usr/lib/ldap", "/usr/lib/openldap", "/usr/lib64/openldap"]) }
}

const found = findSlapd()

/** Why the tests with a real server do not run, or undefined when they do. */
export const missing = unlessMissing(
  found,
  "no slapd: install OpenLDAP's server (Debian: apt-get install slapd), or name it in SOJOURN_SLAPD"
)

/** One directory of a server. */
export interface Database {
  readonly suffix: string
  readonly entries: ReadonlyArray<LdifEntry>
  /** More lines of its configuration. */
  readonly settings?: ReadonlyArray<string>
}

/** What a server is to be. */
export interface SlapdOptions {
  readonly databases: ReadonlyArray<Database>
  /** With it the server speaks ldaps, and StartTLS. */
  readonly tls?: { readonly certificate: Certificate; readonly authority: Certificate }
}

/** A server that runs. */
export interface Slapd {
  /** `localhost:PORT` of ldap and, with TLS, of ldaps. */
  readonly ldap: string
  readonly ldaps: string
  readonly directory: string
}

const config = (directory: string, { program, options }: { program: Program; options: SlapdOptions }) =>
  [
    ...["core", "cosine", "inetorgperson"].map((name) => `include ${join(program.schema, `${name}.schema`)}`),
    ...(program.modules !== undefined && existsSync(join(program.modules, "back_mdb.so"))
      ? [`modulepath ${program.modules}`, "moduleload back_mdb"]
      : []),
    ...(options.tls === undefined
      ? []
      : [
          `TLSCACertificateFile ${join(directory, "authority.pem")}`,
          `TLSCertificateFile ${join(directory, "certificate.pem")}`,
          `TLSCertificateKeyFile ${join(directory, "key.pem")}`
        ]),
    "access to attrs=userPassword by anonymous auth by * none",
    "access to * by * read",
    ...options.databases.flatMap(({ suffix, settings = [] }, i) => [
      "database mdb",
      `suffix "${suffix}"`,
      `directory ${join(directory, String(i))}`,
      "maxsize 67108864",
      "index uid eq",
      "dbnosync",
      ...settings
    ])
  ].join("\n")

const write = (program: Program, options: SlapdOptions): string => {
  const directory = mkdtempSync(join(tmpdir(), "sojourn-slapd-"))
  try {
    if (options.tls !== undefined) {
      writeFileSync(join(directory, "authority.pem"), options.tls.authority.pem)
      writeFileSync(join(directory, "certificate.pem"), options.tls.certificate.pem)
      writeFileSync(join(directory, "key.pem"), options.tls.certificate.keyPem, { mode: 0o600 })
    }
    const file = join(directory, "slapd.conf")
    writeFileSync(file, config(directory, { program, options }))
    for (const i of options.databases.keys()) mkdirSync(join(directory, String(i)))
    for (const { entries, suffix } of options.databases) {
      const added = spawnSync(program.program, ["-Tadd", "-q", "-f", file, "-b", suffix], {
        input: toLdif(entries),
        encoding: "utf8"
      })
      if (added.status !== 0) throw new Error(`slapadd failed: ${added.stderr}`)
    }
    return directory
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
}

/** Starts a server. It stops with its scope. */
export const startSlapd = Effect.fnUntraced(function* (options: SlapdOptions) {
  if (found === undefined) return yield* Effect.die(new Error(missing))
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => write(found, options)),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const [plain = 0, secure = 0] = yield* freePorts(2)
  const urls = [`ldap://127.0.0.1:${plain}/`, ...(options.tls === undefined ? [] : [`ldaps://127.0.0.1:${secure}/`])]
  yield* runServer(
    directory,
    [found.program, "-d", "0", "-h", urls.join(" "), "-f", join(directory, "slapd.conf")],
    plain
  )
  return { ldap: `localhost:${plain}`, ldaps: `localhost:${secure}`, directory } satisfies Slapd
})
