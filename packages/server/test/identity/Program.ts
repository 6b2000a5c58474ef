import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The sources, or the bundle that SOJOURN_BUNDLE names. */
const PROGRAM = process.env.SOJOURN_BUNDLE || fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The exit status and the whole output of a process. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The command line as a child process with its whole output. It ends together with this process. */
export const program = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, ["--conditions=source", PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  let out = ""
  let err = ""
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (out += text))
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })))
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", () => {
      const url = /^listening on (http:\/\/\S+)$/m.exec(out)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${out}${err}`)))
    child.once("error", reject)
  })
  // The rejection reaches callers that await `listening`; for others it must not count as unhandled.
  listening.catch(() => {})
  return {
    listening,
    ended,
    said: () => `${out}${err}`,
    end: (): Promise<Ended> => {
      child.kill("SIGTERM")
      return ended
    }
  }
}
