/** A real OpenLDAP server for the time of a test, with a directory of its own. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Certificate } from "./certificates.ts"
import { type LdifEntry, toLdif } from "./ldif.ts"

interface Program {
  readonly program: string
  readonly modules: string | undefined
  readonly schema: string
}

const firstOf = (paths: ReadonlyArray<string>) => paths.find((path) => existsSync(path))

/** The server that SOJOURN_SLAPD names, or the one of the machine. */
const findSlapd = (): Program | undefined => {
  const { PATH = "", SOJOURN_SLAPD } = process.env
  const folders = [...PATH.split(delimiter), "/usr/sbin"]
  const program = firstOf(SOJOURN_SLAPD ? [SOJOURN_SLAPD] : folders.map((folder) => join(folder, "slapd")))
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
export const missing: string | undefined =
  found === undefined
    ? "no slapd: install OpenLDAP's server (Debian: apt-get install slapd), or name it in SOJOURN_SLAPD"
    : undefined

if (missing !== undefined) {
  if (process.env.CI) throw new Error(missing)
  console.warn(`Tests are skipped: ${missing}`)
}

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

const freePorts = (count: number) =>
  Effect.promise(async () => {
    const servers = Array.from({ length: count }, () => createServer())
    const ports = await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve) => {
            server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))
          })
      )
    )
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    return ports
  })

const isListening = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.succeed(true)))
    socket.once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

/**
 * Runs a server until its input is closed, which also happens when this process is killed, then removes its folder. So
 * neither a process nor a folder is left, even after a crash of the tests.
 */
const KEEPER =
  'directory=$1; shift; "$@" </dev/null & server=$!; read -r _; kill $server; wait $server; rm -rf "$directory"'

const launch = (program: Program, directory: string, urls: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const slapd = [program.program, "-d", "0", "-h", urls.join(" "), "-f", join(directory, "slapd.conf")]
      const child = spawn("sh", ["-c", KEEPER, "sh", directory, ...slapd], {
        stdio: ["pipe", "ignore", "ignore"],
        // A signal to the tests' group is not for it: it ends when its input does.
        detached: true
      })
      return { child, exited: new Promise<void>((resolve) => child.once("exit", () => resolve())) }
    }),
    ({ child, exited }) =>
      Effect.promise(() => {
        child.stdin.destroy()
        return exited
      })
  )

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
  const { child } = yield* launch(found, directory, urls)
  const deadline = performance.now() + 60_000
  while (!(yield* isListening(plain))) {
    if (child.exitCode !== null || performance.now() > deadline)
      return yield* Effect.die(new Error("slapd did not start"))
    yield* Effect.sleep("10 millis")
  }
  return { ldap: `localhost:${plain}`, ldaps: `localhost:${secure}`, directory } satisfies Slapd
})
