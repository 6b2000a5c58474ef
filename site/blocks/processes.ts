/** Programs that the checker starts. */
import { spawn } from "node:child_process"
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

export interface Ended {
  readonly code: number
  readonly output: string
}

interface Options {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds, after which it is killed with all that it started. */
  readonly patience?: number
}

/** Runs a program to its end, in a group of its own, and gives all that it wrote. */
export const run = (program: string, args: ReadonlyArray<string>, options: Options): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
    const timer = setTimeout(() => {
      output += "\nit did not end by itself"
      process.kill(-child.pid!, "SIGKILL")
    }, options.patience ?? 180_000)
    child.once("error", reject)
    child.once("close", (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? 1, output })
    })
  })

/** An empty folder, for as long as the work takes. */
export const inSandbox = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "sojourn-blocks-"))
  return await work(folder.path)
}

/** Does work for each, two at a time, and keeps the order of the answers. */
export const eachOf = <A, B>(all: ReadonlyArray<A>, work: (one: A) => Promise<B>): Promise<ReadonlyArray<B>> =>
  Effect.runPromise(Effect.forEach(all, (one) => Effect.promise(() => work(one)), { concurrency: 2 }))
