/** The `sojourn` command line as a process of its own, from the sources or as the bundle. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** How long a server may take to end, in milliseconds: longer than its drains. */
const ENDING = 90_000

/** The sources, or the bundle that SOJOURN_BUNDLE names. */
const PROGRAM = process.env.SOJOURN_BUNDLE || fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The exit status and the output of a process. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** The `sojourn` command line as a child process. */
export interface SojournProcess {
  readonly pid: number
  /** The URL on which it listens. Rejects when the process ends before. */
  readonly listening: Promise<string>
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Asks the process to end. One that has not ended in time is killed; its `signal` is then SIGKILL. */
  readonly end: () => Promise<Ended>
  /** The latest output. */
  readonly said: () => string
  /** Searches the output from now on. Returns whether the text has occurred, regardless of how much followed. */
  readonly listenFor: (words: string) => () => boolean
}

interface Options {
  /** Modules that are imported before it. */
  readonly imports?: ReadonlyArray<URL>
  readonly env?: Readonly<Record<string, string>>
  /** The number of characters that are kept of its output. */
  readonly kept?: number
}

/**
 * Starts the command line. An unused channel ends the child together with this process, however this one ends. The child
 * has its own process group, so that only this process receives a terminal's signals.
 */
const start = (
  args: ReadonlyArray<string>,
  { imports = [], env = {}, kept = Infinity }: Options = {}
): SojournProcess => {
  const before = imports.map((module) => `--import=${module.href}`)
  const child = spawn(process.execPath, ["--conditions=source", ...before, PROGRAM, ...args], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  let out = ""
  let err = ""
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (out = (out + text).slice(-kept)))
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (err = (err + text).slice(-kept)))
  const said = () => `${out}${err}`
  const listenFor = (words: string) => {
    let isHeard = false
    let last = ""
    child.stderr!.on("data", (text: string) => {
      last += text
      isHeard ||= last.includes(words)
      last = last.slice(-words.length)
    })
    return () => isHeard
  }
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal, out, err }))
  )
  const end = async () => {
    child.kill("SIGTERM")
    const killing = setTimeout(() => child.kill("SIGKILL"), ENDING)
    return ended.finally(() => clearTimeout(killing))
  }
  const listening = new Promise<string>((resolve, reject) => {
    const look = () => {
      const url = /^listening on (http:\/\/\S+)$/m.exec(out)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout!.on("data", look)
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said()}`)))
    child.once("error", reject)
  })
  // The rejection reaches callers that await `listening`; for others it must not count as unhandled.
  listening.catch(() => {})
  return { pid: child.pid ?? 0, listening, ended, kill: (signal) => void child.kill(signal), end, said, listenFor }
}

/** The command line with its whole output. */
export const program = (...args: ReadonlyArray<string>): SojournProcess => start(args)

/** The same, with variables of the environment. */
export const programIn = (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>): SojournProcess =>
  start(args, { env })

/** A server under load, after modules that are imported before it. */
export const sojournAfter = (imports: ReadonlyArray<URL>, args: ReadonlyArray<string>): SojournProcess =>
  // The demo's directory allows links. Log lines of successes are off: they would displace those about faults.
  start(args, { imports, env: { SOJOURN_DEMO_DIRECTORY: "true", SOJOURN_REQUEST_LOG: "off" }, kept: 20_000 })

/** The same without such modules. */
export const sojourn = (...args: ReadonlyArray<string>): SojournProcess => sojournAfter([], args)
