import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Whether the server can do its work now. The server that runs the handlers says what that takes; ready by default. */
export const Readiness = Context.Reference<Effect.Effect<boolean>>("@sojourn/adapter-http/Readiness", {
  defaultValue: () => Effect.succeed(true)
})
