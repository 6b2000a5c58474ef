import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** How long a server may take to end, in milliseconds: longer than its drains. */
const ENDING = 90_000

/** The sources, or the bundle that SOJOURN_BUNDLE names. */
const PROGRAM = process.env.SOJOURN_BUNDLE || fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The number of characters kept of a server's output. */
const KEPT = 20_000

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
  /** Asks the process to end. One that has not ended in time is killed, which its signal tells. */
  readonly end: () => Promise<Ended>
  /** The latest output. */
  readonly said: () => string
  /** Searches the output from now on. Returns whether the text has occurred, regardless of how much followed. */
  readonly listenFor: (words: string) => () => boolean
}

/**
 * Starts the command line. An unused channel ends the child together with this process, however this one ends. The child
 * has its own process group, so that only this process receives a terminal's signals.
 */
export const sojourn = (...args: ReadonlyArray<string>): SojournProcess => sojournAfter([], args)

/** The same, after modules that are imported before it. */
export const sojournAfter = (imports: ReadonlyArray<URL>, args: ReadonlyArray<string>): SojournProcess => {
  const before = imports.map((module) => `--import=${module.href}`)
  const child = spawn(process.execPath, ["--conditions=source", ...before, PROGRAM, ...args], {
    detached: true,
    // The demo's directory allows links. Log lines of successes are off: they would displace those about faults.
    env: { ...process.env, SOJOURN_DEMO_DIRECTORY: "true", SOJOURN_REQUEST_LOG: "off" },
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  let out = ""
  let err = ""
  child.stdout!.on("data", (chunk: Buffer) => (out = (out + chunk.toString("utf8")).slice(-KEPT)))
  child.stderr!.on("data", (chunk: Buffer) => (err = (err + chunk.toString("utf8")).slice(-KEPT)))
  const said = () => `${out}${err}`
  const listenFor = (words: string) => {
    let isHeard = false
    let last = ""
    child.stderr!.on("data", (chunk: Buffer) => {
      last += chunk.toString("utf8")
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
