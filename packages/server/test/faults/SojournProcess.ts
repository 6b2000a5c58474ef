import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The sources, or the bundle that SOJOURN_BUNDLE names. */
const PROGRAM = process.env.SOJOURN_BUNDLE || fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** How much of what a server said is kept, in characters. */
const KEPT = 20_000

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** The `sojourn` command line as a process of its own. */
export interface SojournProcess {
  readonly pid: number
  /** Where it listens. Fails when it ends before it does. */
  readonly listening: Promise<string>
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** What it said lately. */
  readonly said: () => string
  /** Listens from now on. Answers whether this was said since, however much was said after it. */
  readonly listenFor: (words: string) => () => boolean
}

/**
 * Starts the command line. It has a channel to this process, over which nothing is said, and so ends with this process
 * whatever way that ends; and a process group of its own, so that what a terminal sends is for this process to pass on.
 */
export const sojourn = (...args: ReadonlyArray<string>): SojournProcess => {
  const child = spawn(process.execPath, ["--conditions=source", PROGRAM, ...args], {
    detached: true,
    // People link their accounts here as well, and no directory is among the faults. Lines of good requests would leave no room
    // for what is said of faults.
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
  const listening = new Promise<string>((resolve, reject) => {
    const look = () => {
      const url = /^listening on (http:\/\/\S+)$/m.exec(out)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout!.on("data", look)
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said()}`)))
    child.once("error", reject)
  })
  // Whoever waits for it to listen hears of its end; others need not.
  listening.catch(() => {})
  return { pid: child.pid ?? 0, listening, ended, kill: (signal) => void child.kill(signal), said, listenFor }
}
