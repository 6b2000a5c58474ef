/** Runs programs that use a server, and looks at the processes that they leave. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Logger } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Connection, Options } from "../src/index.ts"

export const isLinux = process.platform === "linux"
export const isRoot = process.getuid?.() === 0

/** A folder for the time of a test. */
export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "embedded-postgres-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
)

/** For a test which provokes warnings. */
export const quietly = Effect.provide(Logger.layer([]))

/** A pool of connections for the time of a test. */
export const connect = (connection: Connection, database = connection.database) =>
  PgClient.make({ ...connection, database, maxConnections: 2 }).pipe(Effect.provide(Reactivity.layer))

/** Waits for what other processes do. */
export const until = (what: string, condition: () => boolean) =>
  Effect.gen(function* () {
    const deadline = performance.now() + 60_000
    while (!condition()) {
      if (performance.now() > deadline) return yield* Effect.die(new Error(`it did not happen: ${what}`))
      yield* Effect.sleep("20 millis")
    }
  })

export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Every process of PostgreSQL that works in the data of a directory, the postmaster and the others. */
export const processesOn = (directory: string): ReadonlyArray<number> => {
  const data = statSync(join(directory, "data"), { throwIfNoEntry: false })
  return readdirSync("/proc")
    .filter((name) => {
      if (!/^\d+$/.test(name) || data === undefined) return false
      try {
        const { dev, ino } = statSync(`/proc/${name}/cwd`)
        return dev === data.dev && ino === data.ino && basename(readlinkSync(`/proc/${name}/exe`)) === "postgres"
      } catch {
        return false
      }
    })
    .map(Number)
}

/** The processes of the watchdogs that a program started. */
export const watchdogsOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const [, , parent] = readFileSync(`/proc/${child}/stat`, "utf8")
          .replace(/^.*\) /s, "0 ")
          .split(" ")
        return Number(parent) === pid && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("watchdog")
      } catch {
        return false
      }
    })

/** Ends one process, if it has not ended by itself. No process has the number 0: that would be a whole group. */
export const kill = (pid: number | undefined) => {
  if (pid === undefined || pid <= 1) throw new Error(`there is no process to kill: ${pid}`)
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** A server that the program has. */
export interface Ready {
  readonly processId: number
  readonly isFresh: boolean
  readonly path: string
}

/** What the program says. */
export interface Said {
  readonly ready?: Ready
  readonly failed?: { readonly name: string; readonly message: string }
  readonly answer?: ReadonlyArray<Record<string, unknown>>
  readonly refused?: string
}

/** Another process of Node, which uses a server. */
export interface Program {
  readonly process: ChildProcess
  readonly pid: number
  /** What it says next; it fails when the program ends before. */
  readonly says: Effect.Effect<Said>
  /** Its server, when it has one. */
  readonly ready: Effect.Effect<Ready>
  readonly ask: (statement: string) => Effect.Effect<Said>
  readonly kill: (signal?: NodeJS.Signals) => Effect.Effect<void>
}

export interface Surroundings {
  readonly uid?: number
  readonly gid?: number
  readonly env?: Record<string, string>
  readonly program?: string
}

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url))

const launch = (options: Options, { env, gid, program = PROGRAM, uid }: Surroundings): Program => {
  const child = spawn(process.execPath, ["--conditions=source", program, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid })
  })
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  // Beside its own lines are those of its log.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Said> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error("the program ended in silence")
    return value.startsWith("{") ? JSON.parse(value) : next()
  }
  const says = Effect.promise(next)
  const { pid } = child
  if (pid === undefined) throw new Error("the program could not be started")
  return {
    process: child,
    pid,
    says,
    ready: Effect.flatMap(says, (line) =>
      line.ready === undefined ? Effect.die(new Error(JSON.stringify(line))) : Effect.succeed(line.ready)
    ),
    ask: (statement) =>
      Effect.andThen(
        Effect.sync(() => void child.stdin.write(`${statement}\n`)),
        says
      ),
    kill: (signal = "SIGKILL") =>
      Effect.andThen(
        Effect.sync(() => void child.kill(signal)),
        Effect.promise(() => gone)
      )
  }
}

/** Starts the program. It is killed at the end of the test, and so is whatever it left on its directory. */
export const run = (options: Options, surroundings: Surroundings = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => launch(options, surroundings)),
    (program) =>
      Effect.andThen(
        program.kill("SIGTERM"),
        Effect.sync(() => {
          for (const pid of processesOn(options.directory)) kill(pid)
        })
      )
  )
