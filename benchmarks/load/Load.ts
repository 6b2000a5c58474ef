/** Starts load generators as processes and runs jobs on them. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Data, Effect, type Scope } from "effect"
import type { Job, Outcome } from "./Job.ts"

/** The load generator could not run a job, or the server gave a wrong answer. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `the load failed: ${this.reason}`
  }
}

/** A load generator in a separate process. It runs one job at a time. */
export interface Load {
  /** Runs a job. Fails when an answer is wrong. */
  readonly run: (job: Job) => Effect.Effect<Outcome, LoadFailed>
}

/** The next message of the process. Fails when the process ends before. */
const said = (child: ChildProcess): Effect.Effect<unknown, LoadFailed> =>
  Effect.callback((resume) => {
    const heard = (message: unknown) => done(Effect.succeed(message))
    const ended = () => done(Effect.fail(new LoadFailed({ reason: "the process ended" })))
    const done = (effect: Effect.Effect<unknown, LoadFailed>) => {
      child.off("message", heard)
      child.off("exit", ended)
      resume(effect)
    }
    child.once("message", heard)
    child.once("exit", ended)
    return Effect.sync(() => {
      child.off("message", heard)
      child.off("exit", ended)
    })
  })

/** Starts a program that runs jobs (`doJobs`); the scope ends it. Returns a function that runs a job on it. */
export const makeGenerator = Effect.fnUntraced(function* <Job extends object, Done>(
  program: URL
): Effect.fn.Return<(job: Job) => Effect.Effect<Done, LoadFailed>, LoadFailed, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(fileURLToPath(program), [], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* said(child)
  return Effect.fnUntraced(function* (job: Job) {
    const answer = said(child)
    child.send(job)
    const message = (yield* answer) as { readonly outcome: Done } | { readonly failure: string }
    if ("failure" in message) return yield* new LoadFailed({ reason: message.failure })
    return message.outcome
  })
})

/** Starts a load generator; the scope ends it. */
export const makeLoad: Effect.Effect<Load, LoadFailed, Scope.Scope> = Effect.gen(function* () {
  const generate = yield* makeGenerator<Job, Outcome>(new URL("main.ts", import.meta.url))
  const run = Effect.fnUntraced(function* (job: Job) {
    const outcome = yield* generate(job)
    const wrong = Object.entries(outcome.errors).map(([what, times]) => `${times} times ${what}`)
    if (wrong.length > 0) return yield* new LoadFailed({ reason: wrong.join(", ") })
    return outcome
  })
  return { run }
})
