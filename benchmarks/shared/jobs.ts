/** Jobs in processes of their own, so that a load and its measurement do not wait for each other. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Data, Effect } from "effect"

/** The load could not be generated, or a server gave a wrong answer. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `the load failed: ${this.reason}`
  }
}

/** Makes this process run jobs that arrive over IPC, one at a time, and answer the outcome of each. */
export const serveJobs = <Job, Outcome>(run: (job: Job) => Promise<Outcome>): void => {
  process.once("disconnect", () => process.exit())
  process.on("message", (job: Job) => {
    run(job).then(
      (outcome) => process.send!({ outcome }),
      (error: unknown) => process.send!({ failure: String(error) })
    )
  })
  process.send!({})
}

type Message<Outcome> = { readonly outcome: Outcome } | { readonly failure: string }

/** The next message of a process, or that it ended. */
const messageOf = <Outcome>(child: ChildProcess) =>
  new Promise<Message<Outcome>>((resolve) => {
    const take = (message: unknown) => {
      child.off("message", take).off("exit", end)
      resolve(message as Message<Outcome>)
    }
    const end = () => take({ failure: "the process ended" })
    child.on("message", take).on("exit", end)
  })

/** Starts a program that serves jobs, for the time of the scope. Returns a function that runs a job on it. */
export const startJobs = Effect.fnUntraced(function* <Job extends object, Outcome>(program: URL) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(fileURLToPath(program), [], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const outcomeOf = Effect.fnUntraced(function* (answer: Promise<Message<Outcome>>) {
    const message = yield* Effect.promise(() => answer)
    if ("failure" in message) return yield* new LoadFailed({ reason: message.failure })
    return message.outcome
  })
  yield* outcomeOf(messageOf(child))
  return (job: Job) =>
    Effect.suspend(() => {
      const answer = messageOf<Outcome>(child)
      child.send(job)
      return outcomeOf(answer)
    })
})
