/** Starts PostgreSQL's processes, as another user where this process is root. */
import { spawn, type StdioOptions } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import type { Writable } from "node:stream"
import { Effect, type Scope } from "effect"
import { type Account, isRoot } from "./Account.ts"
import type { Directory } from "./Directory.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"

/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** An ending in the words of a message: the signal, or else the exit code. */
export const describeEnding = ({ code, signal }: Ending): string => signal ?? `code ${code}`

/** A process that was started here. */
export interface Child {
  readonly pid: number
  readonly hasEnded: () => boolean
  readonly ended: Effect.Effect<Ending>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Signals the process and those that it started. */
  readonly killGroup: (signal: NodeJS.Signals) => void
  readonly stdin: Writable | null
}

/** What to start, as whom, and with which open files. */
export interface Command {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly account: Account | undefined
  readonly stdio: StdioOptions
}

/** Nothing of this process's environment changes what PostgreSQL does: not PGDATA, PGPORT or a locale. */
const environment = () => {
  const { PATH, SystemRoot, TEMP, TZDIR } = process.env
  const kept = Object.entries({ PATH, SystemRoot, TEMP, TZDIR }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(kept), LC_ALL: "C", TZ: "UTC" }
}

/**
 * Starts a process, in a group of its own: Ctrl-C in the terminal is for Node, which then ends it in order. Fails with
 * what the system said.
 */
export const start = ({ account, args, program, stdio }: Command): Effect.Effect<Child, Error> =>
  Effect.callback((resume) => {
    const child = spawn(program, args, {
      ...account,
      cwd: process.platform === "win32" ? undefined : "/",
      env: environment(),
      detached: true,
      windowsHide: true,
      stdio
    })
    let ending: Ending | undefined
    const ended = new Promise<Ending>((resolve) => {
      child.once("exit", (code, signal) => {
        ending = { code, signal }
        resolve(ending)
      })
    })
    child.on("error", (error) => resume(Effect.fail(error)))
    const { pid } = child
    if (pid === undefined) return
    resume(
      Effect.succeed({
        pid,
        hasEnded: () => ending !== undefined,
        ended: Effect.promise(() => ended),
        kill: (signal) => void child.kill(signal),
        killGroup: (signal) => void process.kill(process.platform === "win32" ? pid : -pid, signal),
        stdin: child.stdin
      })
    )
  })

/** Files for a child: their names as the child sees them, and what to append to its `stdio`. */
export interface InheritedFiles {
  readonly names: ReadonlyArray<string>
  readonly descriptors: ReadonlyArray<number>
}

/** The first descriptor behind stdin, stdout and stderr. */
const FIRST = 3

/**
 * Lets a child of another user use files to which it may not be able to walk, such as below root's home: it gets them
 * open, and Linux names a process's open files. Elsewhere, and for this process's own user, a path is good enough.
 */
export const inheritFiles = (
  directory: Directory,
  paths: ReadonlyArray<string>
): Effect.Effect<InheritedFiles, DirectoryUnusable, Scope.Scope> => {
  if (process.platform !== "linux" || !isRoot()) return Effect.succeed({ names: paths, descriptors: [] })
  const open = (path: string) =>
    Effect.acquireRelease(
      useDirectory(directory.path, () => openSync(path, "r")),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    )
  return Effect.map(Effect.forEach(paths, open), (descriptors) => ({
    names: descriptors.map((_, index) => `/proc/self/fd/${FIRST + index}`),
    descriptors
  }))
}
