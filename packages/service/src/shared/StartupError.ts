/** The failure of a start, and helpers that turn other failures into it. */
import { Data, Effect, Layer } from "effect"

/** Why a service or a command cannot start, in one sentence. */
export class StartupError extends Data.TaggedError("StartupError")<{ readonly message: string }> {}

/** A layer that fails with this reason. */
export const layerFailed = <A>(reason: StartupError): Layer.Layer<A, StartupError> =>
  Layer.effectContext(Effect.fail(reason))

/** Names what a layer was configured by, such as a flag, in the reason why it failed. */
export const namingIn =
  (what: string) =>
  <A, R>(layer: Layer.Layer<A, StartupError, R>): Layer.Layer<A, StartupError, R> =>
    Layer.catch(layer, ({ message }) => layerFailed<A>(new StartupError({ message: `${what}: ${message}` })))

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Joins the lines of a message. */
export const onOneLine = (message: string): string => message.trim().replace(/\s*\n\s*/g, " ")
