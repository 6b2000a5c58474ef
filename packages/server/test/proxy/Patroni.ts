/** PostgreSQL on two hosts that Patroni fails over, with etcd, and HAProxy before them: with the configurations of `deploy`. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Redacted } from "effect"
import { parse, stringify } from "yaml"
import { findProgram, freePorts, unlessMissing } from "../../../adapter-ldap/test/programs.ts"
import { eventually } from "../faults/eventually.ts"
import { familyOf, type Process, processes, signalAll, stillRunning } from "../faults/processes.ts"
import { account, programs } from "../faults/ReplicaSet.ts"

const found = {
  patroni: findProgram("patroni", process.env.SOJOURN_PATRONI),
  etcd: findProgram("etcd", process.env.SOJOURN_ETCD),
  haproxy: findProgram("haproxy", process.env.SOJOURN_HAPROXY),
  postgres: programs()
}

/** Why the tests with Patroni do not run, or undefined when they do. */
export const missing = unlessMissing(
  Object.values(found).includes(undefined) ? undefined : found,
  "no patroni, etcd or haproxy: install them (Debian: apt-get install patroni etcd-server haproxy), or name them in SOJOURN_PATRONI, SOJOURN_ETCD and SOJOURN_HAPROXY"
)

const deployed = (name: string) => readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), "utf8")

const run = promisify(execFile)

const DATABASE = "sojourn"

/** What happens to the primary. */
export type PatroniFailover = "switched over" | "its PostgreSQL killed" | "its host killed"

export interface Patroni {
  /** The value for `--database-url` with both hosts, and with HAProxy alone. */
  readonly url: string
  readonly proxyUrl: string
  /** The database on the primary of now. */
  readonly primary: () => Promise<DatabaseAddress>
  /** Ends the primary in a way. Resolves when another one is the primary. */
  readonly failOver: (how: PatroniFailover) => Promise<void>
  /** Brings the host back that was killed, and waits until it is a synchronous standby. */
  readonly rejoin: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts the whole, and creates the database. */
export const startPatroni = async (): Promise<Patroni> => {
  const directory = mkdtempSync(join(tmpdir(), "sojourn-patroni-"))
  const own = () => account.uid !== undefined && chownSync(directory, account.uid, account.gid)
  own()
  const [etcdPort, peerPort, proxyPort, ...ports] = await Effect.runPromise(freePorts(7))
  const started: Array<ChildProcess> = []
  const start = (program: string, ...args: ReadonlyArray<string>) => {
    const child = spawn(program, args, { ...account, cwd: directory, stdio: "ignore" })
    started.push(child)
    return child
  }
  const etcd = `127.0.0.1:${etcdPort}`
  const urls = ["--listen-client-urls", `http://${etcd}`, "--advertise-client-urls", `http://${etcd}`]
  const peers = ["--listen-peer-urls", `http://127.0.0.1:${peerPort}`, "--initial-advertise-peer-urls"]
  const cluster = [`http://127.0.0.1:${peerPort}`, "--initial-cluster", `default=http://127.0.0.1:${peerPort}`]
  start(found.etcd!, "--data-dir", join(directory, "etcd"), ...urls, ...peers, ...cluster)

  const hosts = ["db1", "db2"].map((name, nth) => {
    const [port, restPort] = ports.slice(2 * nth, 2 * nth + 2) as [number, number]
    const data = join(directory, name)
    const file = join(directory, `${name}.yml`)
    const configuration = parse(deployed("patroni.yml").replaceAll("10.0.0.0/8", "127.0.0.0/8"))
    configuration.name = name
    configuration.restapi = { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` }
    configuration.etcd3.hosts = [etcd]
    Object.assign(configuration.postgresql, {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: found.postgres,
      data_dir: data,
      pgpass: join(directory, `${name}.pgpass`)
    })
    configuration.postgresql.parameters = { unix_socket_directories: "", shared_buffers: "32MB" }
    writeFileSync(file, stringify(configuration))
    let daemon: ChildProcess | undefined
    const postmaster = (): ReadonlyArray<Process> => {
      try {
        return familyOf(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]))
      } catch {
        return []
      }
    }
    const isRole = async (role: string) => (await fetch(`http://127.0.0.1:${restPort}/${role}`)).status === 200
    return {
      name,
      port,
      restPort,
      file,
      start: () => void (daemon = start(found.patroni!, file)),
      isRunning: () => daemon?.exitCode === null && daemon.signalCode === null,
      is: (role: string) => isRole(role).catch(() => false),
      /** Kills PostgreSQL, or it and Patroni, as a host that lost its power. */
      kill: async (what: "PostgreSQL" | "host") => {
        const family = [...(what === "host" ? familyOf(daemon!.pid!) : []), ...postmaster()]
        signalAll(family, "SIGKILL")
        await eventually("they have ended", () => stillRunning(family).length === 0)
      }
    }
  })
  const [first, second] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  const password: string = parse(deployed("patroni.yml")).postgresql.authentication.superuser.password

  const primaryOf = async () => {
    for (const host of hosts) if (await host.is("primary")) return host
    return undefined
  }
  const psql = (port: number, statement: string, database = DATABASE) =>
    run(
      join(found.postgres!, "psql"),
      ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", database, "-Atqc", statement],
      {
        env: { ...process.env, PGPASSWORD: password }
      }
    )
  const followed = async () => {
    const leader = await primaryOf()
    const other = leader === first ? second : first
    await eventually("the standby is synchronous", () => other.is("sync"))
  }

  const haproxy = join(directory, "haproxy.cfg")
  writeFileSync(
    haproxy,
    hosts.reduce(
      (text, { name, port, restPort }) =>
        text.replace(`server ${name} ${name}.example.org:5432`, `server ${name} 127.0.0.1:${port} port ${restPort}`),
      deployed("haproxy.cfg").replace("0.0.0.0:5000", `127.0.0.1:${proxyPort}`)
    )
  )

  const close = async () => {
    const family = started.flatMap(({ pid }) => (pid === undefined ? [] : familyOf(pid)))
    // Patroni's PostgreSQL is no child of it.
    const left = processes().filter(({ command }) => command.includes(directory))
    signalAll([...family, ...left, ...left.flatMap(({ pid }) => familyOf(pid))], "SIGKILL")
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    await eventually("etcd answers", () =>
      fetch(`http://${etcd}/health`).then(
        ({ ok }) => ok,
        () => false
      )
    )
    first.start()
    await eventually("the first host is the primary", () => first.is("primary"))
    second.start()
    await psql(first.port, `create database ${DATABASE}`, "postgres")
    await followed()
    start(found.haproxy!, "-f", haproxy)
    await eventually("HAProxy leads to the primary", () =>
      psql(proxyPort!, "select 1").then(
        () => true,
        () => false
      )
    )
  } catch (error) {
    await close()
    throw error
  }
  const url = (addresses: string) => `postgresql://postgres:${password}@${addresses}/${DATABASE}`
  return {
    url: url(hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")),
    proxyUrl: url(`127.0.0.1:${proxyPort}`),
    primary: async () => ({
      host: "127.0.0.1",
      port: (await primaryOf())!.port,
      username: "postgres",
      password: Redacted.make(password),
      database: DATABASE
    }),
    failOver: async (how) => {
      const former = (await primaryOf())!
      const next = former === first ? second : first
      if (how === "switched over") {
        const flags = ["--master", former.name, "--candidate", next.name, "--force"]
        await run("patronictl", ["-c", former.file, "switchover", ...flags, "sojourn"], { ...account, cwd: directory })
      } else await former.kill(how === "its host killed" ? "host" : "PostgreSQL")
      await eventually("the standby is the primary", () => next.is("primary"))
    },
    rejoin: async () => {
      for (const host of hosts) if (!host.isRunning()) host.start()
      await followed()
    },
    close
  }
}
