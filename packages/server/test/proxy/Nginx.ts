/** A real nginx in front of servers, with the block of the documentation. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import type { Certificate } from "../../../adapter-ldap/test/certificates.ts"
import { findProgram, freePorts, runServer, unlessMissing } from "../../../adapter-ldap/test/programs.ts"
import { eventually } from "../faults/eventually.ts"

const found = findProgram("nginx", process.env.SOJOURN_NGINX)

/** Why the tests with nginx do not run, or undefined when they do. */
export const missing = unlessMissing(
  found,
  "no nginx: install it (Debian: apt-get install nginx), or name it in SOJOURN_NGINX"
)

const PAGE = new URL("../../../../docs/operations.md", import.meta.url)

const replaceOnce = (text: string, what: RegExp, by: string): string => {
  const parts = text.split(what)
  if (parts.length !== 2) throw new Error(`the block has ${parts.length - 1} of ${what}`)
  return parts.join(by)
}

/** The documented block with the ports and the certificate of a test. */
const site = (directory: string, port: number, servers: ReadonlyArray<number>, down?: number): string => {
  const [, block] = /^```nginx\n(.*?)^```$/ms.exec(readFileSync(PAGE, "utf8"))!
  const lines = /server 127\.0\.0\.1:8080( .*;)/.exec(block!)!
  const lineOf = (server: number) => `server 127.0.0.1:${server}${server === down ? " down" : ""}${lines[1]}`
  const upstream = servers.map(lineOf).join("\n  ")
  return [
    [/server 127\.0\.0\.1:8080 .*;/, upstream],
    [/listen 443 /, `listen 127.0.0.1:${port} `],
    [/listen \[::\]:443 .*;/, ""],
    [/\/etc\/ssl\/sojourn\.example\.org\.pem/, join(directory, "certificate.pem")],
    [/\/etc\/ssl\/private\/sojourn\.example\.org\.key/, join(directory, "key.pem")]
  ].reduce((text, [what, by]) => replaceOnce(text, what as RegExp, by as string), block!)
}

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]

/** What Debian's `nginx.conf` is around the site, in a folder of its own. */
const config = (
  directory: string,
  ...upstream: readonly [port: number, servers: ReadonlyArray<number>, down?: number]
) =>
  [
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off;",
    `pid ${directory}/pid;`,
    `error_log ${directory}/error.log;`,
    "events {}",
    "http {",
    "access_log off;",
    ...TEMPORARY.map((name) => `${name}_temp_path ${directory}/${name};`),
    site(directory, ...upstream),
    "}"
  ].join("\n")

/** nginx in front of servers. */
export interface Nginx {
  readonly port: number
  /** Lets it lead to the servers with these ports, of which one may be marked as down, and ends when it does. */
  readonly reload: (servers: ReadonlyArray<number>, down?: number) => Promise<void>
  /** The errors that it has logged. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

const start = Effect.fnUntraced(function* (certificate: Certificate, servers: ReadonlyArray<number>) {
  if (found === undefined) return yield* Effect.die(new Error(missing))
  const directory = mkdtempSync(join(tmpdir(), "sojourn-nginx-"))
  const [port = 0] = yield* freePorts(1)
  const file = join(directory, "nginx.conf")
  const write = (servers: ReadonlyArray<number>, down?: number) =>
    writeFileSync(file, config(directory, port, servers, down))
  writeFileSync(join(directory, "certificate.pem"), certificate.pem)
  writeFileSync(join(directory, "key.pem"), certificate.keyPem, { mode: 0o600 })
  write(servers)
  yield* runServer(directory, [found, "-p", directory, "-e", "stderr", "-c", file], port)
  // It may listen before it has written its process id.
  const pid = () => Number(readFileSync(join(directory, "pid"), { encoding: "utf8", flag: "a+" }))
  yield* Effect.promise(() => eventually("nginx has started", () => pid() > 0))
  const master = pid()
  const workers = () => readFileSync(`/proc/${master}/task/${master}/children`, "utf8").trim().split(" ")
  const reload = async (servers: ReadonlyArray<number>, down?: number) => {
    const old = workers()
    write(servers, down)
    process.kill(master, "SIGHUP")
    await eventually("nginx has a new worker", () => workers().some((worker) => !old.includes(worker)))
  }
  return { port, reload, log: () => readFileSync(join(directory, "error.log"), "utf8") }
})

/** Starts nginx in front of the servers with these ports. */
export const startNginx = async (certificate: Certificate, servers: ReadonlyArray<number>): Promise<Nginx> => {
  const scope = await Effect.runPromise(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { ...(await Effect.runPromise(Scope.provide(start(certificate, servers), scope))), stop }
}
