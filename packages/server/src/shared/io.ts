import { messageOf, StartupError } from "@sojourn/service"
import { Effect } from "effect"

/** Runs an operation on files. Where it fails, the start does, with `what` before the message of the error. */
export const io = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new StartupError({ message: `${what}: ${messageOf(error)}` }) })
