import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Data, Effect, type Scope } from "effect"
import type { Patience, Round } from "./measure.ts"

/** The process that interprets schemas ended: it says why on stderr. */
export class InterpreterEnded extends Data.TaggedError("InterpreterEnded")<{}> {
  override get message(): string {
    return "the process that interprets schemas ended"
  }
}

/** Measures where schemas are interpreted: whether they are compiled is decided for a whole process. */
export interface Interpreter {
  readonly round: (name: string, patience: Patience) => Effect.Effect<Round, InterpreterEnded>
}

/** What it is asked. */
export interface Asked {
  readonly name: string
  readonly patience: Patience
}

const PROGRAM = fileURLToPath(new URL("interpreted.ts", import.meta.url))

/** Starts the process for the time of the scope. It does one round at a time. */
export const makeInterpreter: Effect.Effect<Interpreter, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => fork(PROGRAM, [], { execArgv: ["--conditions=source"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ),
  (child) => ({
    round: (name, patience) =>
      Effect.callback<Round, InterpreterEnded>((resume) => {
        const answered = (one: unknown) => done(Effect.succeed(one as Round))
        const ended = () => done(Effect.fail(new InterpreterEnded()))
        const done = (effect: Effect.Effect<Round, InterpreterEnded>) => {
          child.off("message", answered)
          child.off("exit", ended)
          resume(effect)
        }
        child.once("message", answered)
        child.once("exit", ended)
        child.send({ name, patience } satisfies Asked)
      })
  })
)
