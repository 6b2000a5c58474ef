import { messageOf, StartupError } from "@sojourn/service"
import * as Effect from "effect/Effect"

/** Uses files. `what` is said before the message of an error. */
export const io = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new StartupError({ message: `${what}: ${messageOf(error)}` }) })
