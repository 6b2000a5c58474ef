/** A candidate as a child process that ends with the scope. */
import { type ChildProcess, spawn } from "node:child_process"
import { Data, Effect } from "effect"

/** A program as it is started. */
export interface Command {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** A candidate ended before it listened. */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly said: string }> {
  override get message(): string {
    return `a candidate did not start: ${this.said}`
  }
}

/** A candidate that runs. */
export interface Server {
  readonly processId: number
  readonly host: string
  readonly port: number
}

/** How much of what a candidate says is kept, in characters. */
const KEPT = 4000

/** How long a candidate may take to end when it is asked, in milliseconds. */
const PATIENCE = 5000

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE)
    child.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

const listening = (child: ChildProcess): Effect.Effect<Server, NotStarted> =>
  Effect.callback((resume) => {
    let said = ""
    const hear = (chunk: Buffer) => {
      said = `${said}${chunk.toString("utf8")}`.slice(-KEPT)
      const [, host, port] = /^listening on http:\/\/([^:\s]+):(\d+)/m.exec(said) ?? []
      if (host === undefined) return
      // Later output, such as a line for every request, is read and dropped: keeping it would cost the measuring process.
      for (const stream of [child.stdout!, child.stderr!]) stream.off("data", hear).resume()
      resume(Effect.succeed({ processId: child.pid!, host, port: Number(port) }))
    }
    child.stdout!.on("data", hear)
    child.stderr!.on("data", hear)
    child.once("error", ({ message }) => resume(Effect.fail(new NotStarted({ said: message }))))
    child.once("close", () => resume(Effect.fail(new NotStarted({ said }))))
  })

/** Starts a program for the time of the scope, and waits until it listens. It ends with this process, whatever way that ends. */
export const startServer = Effect.fnUntraced(function* ({ args, env }: Command) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, args, {
        env: { ...process.env, NODE_ENV: "production", ...env },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
    ),
    end
  )
  return yield* listening(child)
})
