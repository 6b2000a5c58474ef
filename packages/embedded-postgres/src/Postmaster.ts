/** Finds, identifies and stops postmasters and leftover processes on a data directory. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { Duration, Effect } from "effect"
import type { Directory } from "./Directory.ts"
import { DirectoryInUse } from "./Errors.ts"
import { OWNER } from "./Settings.ts"

/** The contents of `postmaster.pid`, which a postmaster writes into its data directory. */
export interface PidFile {
  readonly processId: number
  readonly port: number
  /** The address of its TCP listener; empty without one. */
  readonly address: string
  /** Whether it accepts connections. */
  readonly isReady: boolean
}

/** Reads `postmaster.pid`. The postmaster may have ended since, and its process id may have been reused. */
export const pidFile = (directory: Directory): PidFile | undefined => {
  try {
    const lines = readFileSync(join(directory.data, "postmaster.pid"), "utf8").split("\n")
    const processId = Math.abs(Number(lines[0]))
    if (!Number.isSafeInteger(processId) || processId === 0) return undefined
    return { processId, port: Number(lines[3]), address: lines[5] ?? "", isReady: lines[7]?.trim() === "ready" }
  } catch {
    return undefined
  }
}

const commandLine = (pid: number): string => {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
    if (process.platform === "win32") {
      const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`
      return execFileSync("powershell.exe", ["-NoProfile", "-Command", query], { encoding: "utf8", stdio: "pipe" })
    }
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" })
  } catch {
    return ""
  }
}

/** Whether a process runs PostgreSQL in this working directory. Folders are compared by inode, not by path. */
const worksIn = (pid: number | string, data: { readonly dev: number; readonly ino: number }): boolean => {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd`)
    if (dev !== data.dev || ino !== data.ino) return false
    return basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "") === "postgres"
  } catch {
    return false
  }
}

/** All PostgreSQL processes on the data (Linux); on other systems only the postmaster. */
const processesOn = (directory: Directory): ReadonlyArray<number> => {
  if (process.platform !== "linux") {
    const processId = pidFile(directory)?.processId
    return processId !== undefined && commandLine(processId).includes(directory.data) ? [processId] : []
  }
  const data = statSync(directory.data)
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && worksIn(name, data))
    .map(Number)
}

interface Postmaster {
  readonly pid: number
  /** Whether this package started it. */
  readonly isOurs: boolean
}

/**
 * The postmasters among processes of PostgreSQL. Child processes have titles such as `postgres: checkpointer`, and an
 * ending process has no command line.
 */
const postmastersAmong = (pids: ReadonlyArray<number>): ReadonlyArray<Postmaster> =>
  pids.flatMap((pid) => {
    const line = commandLine(pid)
    return line === "" || line.startsWith("postgres: ") ? [] : [{ pid, isOurs: line.includes(`${OWNER}=`) }]
  })

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

/** Sends signals in order until the processes have ended. Each signal has a timeout, after which the next is sent. */
const end = (
  directory: Directory,
  chosen: (pid: number) => boolean,
  signals: ReadonlyArray<readonly [name: NodeJS.Signals, timeout: Duration.Input]>
) =>
  Effect.gen(function* () {
    const left = () => processesOn(directory).filter(chosen)
    for (const [name, timeout] of signals) {
      if (left().length === 0) return
      for (const pid of left()) signal(pid, name)
      const wait = Effect.gen(function* () {
        while (left().length > 0) yield* Effect.sleep("10 millis")
      })
      yield* Effect.timeoutOption(wait, timeout)
    }
  })

/**
 * Stops processes and removes files of earlier servers. The lock must be held, so that no process uses an earlier server.
 *
 * - A postmaster of this package that outlived Node and its watchdog is shut down.
 * - Processes of a killed postmaster are ended: PostgreSQL does not start while they run.
 * - The postmaster's files are removed: after a crash their process id may belong to an unrelated process, for which
 *   PostgreSQL would refuse to start. Unrelated processes are never signalled.
 *
 * Fails with `DirectoryInUse` when a server runs on the data that this package did not start.
 */
export const clear = Effect.fnUntraced(function* (directory: Directory): Effect.fn.Return<void, DirectoryInUse> {
  const found = pidFile(directory)
  let postmasters = postmastersAmong(processesOn(directory))
  if (postmasters.some(({ isOurs }) => !isOurs)) {
    // A child that is just setting its title looks like a foreign postmaster. By now the title is complete.
    yield* Effect.sleep("100 millis")
    postmasters = postmastersAmong(processesOn(directory))
  }
  const foreign = postmasters.find(({ isOurs }) => !isOurs)
  if (foreign !== undefined) return yield* new DirectoryInUse({ directory: directory.path, processId: foreign.pid })
  if (postmasters.length > 0) {
    yield* Effect.logWarning(`PostgreSQL still runs in ${directory.path} for a process that has gone: stopping it`)
    yield* end(directory, (candidate) => postmasters.some(({ pid }) => pid === candidate), [
      ["SIGINT", "20 seconds"],
      ["SIGQUIT", "5 seconds"],
      ["SIGKILL", "5 seconds"]
    ])
  }
  yield* end(directory, () => true, [
    ["SIGQUIT", "2 seconds"],
    ["SIGKILL", "5 seconds"]
  ])
  for (const name of ["postmaster.pid", ...lockFiles(found)]) rmSync(join(directory.data, name), { force: true })
})

const lockFiles = (found: PidFile | undefined) => (found === undefined ? [] : [`.s.PGSQL.${found.port}.lock`])
