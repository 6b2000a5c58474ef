import { type DirectoryRefused, DirectoryTimeout, DirectoryUnreachable } from "@sojourn/core"
import type { ServerUnreachable } from "@sojourn/outbound"
import { type Duration, Effect } from "effect"

/** Why a server gave no usable answer. */
export type NoAnswer = DirectoryUnreachable | DirectoryTimeout

/** Why a question about people failed: without an answer, or because the server refused it. */
export type Failure = DirectoryRefused | NoAnswer

/** A `DirectoryUnreachable`. Its reason must hold no name of a person, no password and no filter. */
export const unreachable = (reason: string): DirectoryUnreachable => new DirectoryUnreachable({ reason })

/** Fails with `DirectoryUnreachable` where a connection fails with `ServerUnreachable`. */
export const asDirectoryUnreachable = <A, R>(
  effect: Effect.Effect<A, ServerUnreachable, R>
): Effect.Effect<A, DirectoryUnreachable, R> => Effect.mapError(effect, ({ reason }) => unreachable(reason))

/** Fails with `DirectoryTimeout` when the effect takes longer, and interrupts it. */
export const failAfter =
  (duration: Duration.Duration) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | DirectoryTimeout, R> =>
    Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(new DirectoryTimeout()) })
