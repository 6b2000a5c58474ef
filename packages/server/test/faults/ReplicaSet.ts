/** A primary of PostgreSQL and its standby by streaming replication, of the machine's own programs, which tests fail over. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { Effect } from "effect"
import { freePorts, unlessMissing } from "../../../adapter-ldap/test/programs.ts"
import { familyOf, signalAll } from "./processes.ts"

/** What happens to the primary before its standby is promoted. */
export const FAILOVERS = ["killed", "frozen", "stopped", "left alone"] as const
export type Failover = (typeof FAILOVERS)[number]

export interface ReplicaSet {
  /** The value for `--database-url`, with both hosts. */
  readonly url: string
  /** The same with the present standby alone. */
  readonly standbyUrl: () => string
  /** The database on the primary. */
  readonly primary: () => DatabaseAddress
  /** Ends the primary in a way, and promotes the standby. Resolves when it is promoted. */
  readonly failOver: (how: Failover) => Promise<void>
  /** Makes the former primary the standby of the present one. */
  readonly rejoin: () => Promise<void>
  /** Stops the standby, and starts it again. */
  readonly stopStandby: () => Promise<void>
  readonly startStandby: () => Promise<void>
  /** Kills the primary, which starts again as it was. */
  readonly restartPrimary: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The newest of Debian's folders of programs, or the one that SOJOURN_POSTGRES names; undefined without any. */
export const programs = (): string | undefined => {
  const { SOJOURN_POSTGRES } = process.env
  if (SOJOURN_POSTGRES !== undefined) return SOJOURN_POSTGRES
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : []
  return versions
    .toSorted((a, b) => b - a)
    .map((version) => join(debian, String(version), "bin"))
    .find((folder) => existsSync(join(folder, "pg_basebackup")))
}

/** Why failovers are not tested, or undefined when they are. */
export const missing = unlessMissing(
  programs(),
  "no pg_basebackup: install PostgreSQL (Debian: apt-get install postgresql), or name the folder of its programs in SOJOURN_POSTGRES"
)

/** Whom PostgreSQL runs as, which refuses to run as root. */
export const account = (() => {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync("/etc/passwd", "utf8").split("\n")
  const [, , uid, gid] = users
    .map((line) => line.split(":"))
    .find(([name]) => name === "postgres" || name === "nobody")!
  return { uid: Number(uid), gid: Number(gid) }
})()

const run = promisify(execFile)

/** The settings of both hosts. Which of them waits for the other one, `alter system` says. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  wal_level: "replica",
  wal_keep_size: "256MB",
  hot_standby: "on",
  max_connections: "60",
  shared_buffers: "32MB",
  wal_receiver_status_interval: "1s",
  wal_retrieve_retry_interval: "100ms"
}

const USER = "postgres"
const DATABASE = "sojourn"

/** One host of the two. */
const makeHost = (bin: string, directory: string, port: number) => {
  const data = join(directory, String(port))
  let child: ChildProcess | undefined
  const psql = async (statement: string, database = "postgres") => {
    const address = ["-h", "127.0.0.1", "-p", String(port), "-U", USER, "-d", database]
    const { stdout } = await run(join(bin, "psql"), [...address, "-Atqc", statement])
    return stdout.trim()
  }
  const tool = (name: string, ...args: ReadonlyArray<string>) => run(join(bin, name), args, { ...account, cwd: "/" })
  const answers = async (statement: string, expected: string) => {
    for (let i = 0; i < 1_200; i++) {
      if ((await psql(statement).catch(() => undefined)) === expected) return
      await pause(25)
    }
    throw new Error(`PostgreSQL does not answer ${expected} to ${statement}`)
  }
  const signal = (name: NodeJS.Signals) => {
    if (child?.pid === undefined) return
    // Once it has ended, its processes are no longer known as such; once it is frozen, it starts no other ones.
    const family = familyOf(child.pid)
    signalAll([{ pid: child.pid }], name)
    signalAll(name === "SIGKILL" ? family : familyOf(child.pid), name)
  }
  const ended = () => (child === undefined ? undefined : new Promise<void>((resolve) => child!.once("exit", resolve)))
  return {
    port,
    data,
    tool,
    psql,
    signal,
    start: async () => {
      const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
      child = spawn(join(bin, "postgres"), ["-D", data, ...settings], { ...account, cwd: "/", stdio: "ignore" })
      await answers("select 1", "1")
    },
    stop: async (how: "SIGINT" | "SIGKILL") => {
      const end = ended()
      if (how === "SIGKILL") signal("SIGKILL")
      else child!.kill(how)
      await end
      child = undefined
    },
    isRunning: () => child !== undefined,
    /** The other host sends what it commits here before it acknowledges, or need not. */
    setSynchronous: async (isSynchronous: boolean) => {
      await psql(`alter system set synchronous_standby_names = '${isSynchronous ? "*" : ""}'`)
      await psql("select pg_reload_conf()")
    },
    isFollowed: (state: "sync" | "async") =>
      answers(`select count(*) from pg_stat_replication where sync_state = '${state}'`, "1"),
    promote: async () => {
      await psql("select pg_promote()")
      await answers("select pg_is_in_recovery()", "f")
    }
  }
}

/** Starts a primary, and a standby that has each commit before it is acknowledged, or soon after where it is not synchronous. */
export const replicaSet = async (bin: string, isSynchronous = true): Promise<ReplicaSet> => {
  const directory = await mkdtemp(join(tmpdir(), "sojourn-replicas-"))
  if (account.uid !== undefined) chownSync(directory, account.uid, account.gid)
  const ports = await Effect.runPromise(freePorts(2))
  let [primary, standby] = [makeHost(bin, directory, ports[0]!), makeHost(bin, directory, ports[1]!)]
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(",")

  const follow = async () => {
    await rm(standby.data, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=${USER}`
    await primary.tool("pg_basebackup", "-d", from, "-D", standby.data, "-R", "-X", "stream", "-c", "fast", "-N")
    await standby.start()
    // The standby needs none once it is promoted, until it has one of its own.
    await primary.setSynchronous(isSynchronous)
    await primary.isFollowed(isSynchronous ? "sync" : "async")
  }

  mkdirSync(primary.data, { mode: 0o700 })
  if (account.uid !== undefined) chownSync(primary.data, account.uid, account.gid)
  await primary.tool("initdb", "-D", primary.data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-sync")
  await primary.start()
  await primary.psql(`create database ${DATABASE}`)
  await follow()

  return {
    url: `postgresql://${USER}@${hosts}/${DATABASE}?target_session_attrs=read-write`,
    standbyUrl: () => `postgresql://${USER}@127.0.0.1:${standby.port}/${DATABASE}`,
    primary: () => ({ host: "127.0.0.1", port: primary.port, username: USER, database: DATABASE }),
    failOver: async (how) => {
      if (how === "killed") await primary.stop("SIGKILL")
      if (how === "frozen") primary.signal("SIGSTOP")
      if (how === "stopped") await primary.stop("SIGINT")
      await standby.promote()
      ;[primary, standby] = [standby, primary]
    },
    rejoin: async () => {
      if (standby.isRunning()) await standby.stop("SIGKILL")
      await follow()
    },
    stopStandby: () => standby.stop("SIGINT"),
    startStandby: async () => {
      await standby.start()
      await primary.isFollowed("sync")
    },
    restartPrimary: async () => {
      await primary.stop("SIGKILL")
      await rm(join(primary.data, "postmaster.pid"), { force: true })
      await primary.start()
    },
    close: async () => {
      for (const host of [primary, standby]) if (host.isRunning()) await host.stop("SIGKILL")
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
