import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Directory } from "./Directory.ts"
import { DirectoryInUse } from "./Errors.ts"
import { OWNER } from "./Settings.ts"

/** What a postmaster writes about itself into its data directory. */
export interface PidFile {
  readonly processId: number
  readonly port: number
  /** The address it listens on for TCP; empty when it does not. */
  readonly address: string
  /** It answers connections. */
  readonly isReady: boolean
}

/** The postmaster that runs on the data, or did, as its file says; it may be gone, and its id another process's. */
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

/** PostgreSQL's processes work in their data directory: the same folder, by whatever path or mount they came to it. */
const worksIn = (pid: number | string, data: { readonly dev: number; readonly ino: number }): boolean => {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd`)
    if (dev !== data.dev || ino !== data.ino) return false
    return basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "") === "postgres"
  } catch {
    return false
  }
}

/** Every process of PostgreSQL on the data, where the system tells (Linux); elsewhere the postmaster alone. */
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
  /** This package started it. */
  readonly isOurs: boolean
}

/**
 * The postmasters among processes of PostgreSQL. Their children name themselves after what they do, such as
 * `postgres: checkpointer`; and one that is just ending has no command line any more.
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
    // It has gone by itself.
  }
}

/** Sends the signals one after another, each when the processes have not gone by the time of the one before. */
const end = (
  directory: Directory,
  chosen: (pid: number) => boolean,
  signals: ReadonlyArray<readonly [name: NodeJS.Signals, patience: Duration.Input]>
) =>
  Effect.gen(function* () {
    const left = () => processesOn(directory).filter(chosen)
    for (const [name, patience] of signals) {
      if (left().length === 0) return
      for (const pid of left()) signal(pid, name)
      const wait = Effect.gen(function* () {
        while (left().length > 0) yield* Effect.sleep("10 millis")
      })
      yield* Effect.timeoutOption(wait, patience)
    }
  })

/**
 * Makes way for a new postmaster, when the lock is held and so nobody can be using an old one.
 *
 * - A postmaster of this package, which lost Node and its watchdog, is stopped in order.
 * - Processes of a postmaster that was killed are ended: PostgreSQL starts anew only when they are gone.
 * - What a crash left of the postmaster's files is removed: their process id may be a stranger's by now, on which
 *   PostgreSQL would refuse to start. A stranger is never signalled.
 *
 * Fails with `DirectoryInUse` when a server runs there that this package did not start.
 */
export const clear = Effect.fnUntraced(function* (directory: Directory): Effect.fn.Return<void, DirectoryInUse> {
  const found = pidFile(directory)
  let postmasters = postmastersAmong(processesOn(directory))
  if (postmasters.some(({ isOurs }) => !isOurs)) {
    // A child that has half written its name looks like a stranger. It has written it now.
    yield* Effect.sleep("100 millis")
    postmasters = postmastersAmong(processesOn(directory))
  }
  const stranger = postmasters.find(({ isOurs }) => !isOurs)
  if (stranger !== undefined) return yield* new DirectoryInUse({ directory: directory.path, processId: stranger.pid })
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
