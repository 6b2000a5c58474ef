import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Data, Effect, type Scope } from "effect"
import type { Job, Outcome } from "./Job.ts"

/** The load generator could not do a job, or something was answered that should not be. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `the load failed: ${this.reason}`
  }
}

/** A load generator in a process of its own. It does one job at a time. */
export interface Load {
  /** Does a job. Fails where anything was answered otherwise than it should be. */
  readonly run: (job: Job) => Effect.Effect<Outcome, LoadFailed>
}

/** The next message of the process; it must not end before. */
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

/** Starts a program that does jobs (`doJobs`) for the time of the scope. Answers a way to have a job done. */
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

/** Starts a load generator for the time of the scope. */
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
