/** Limits concurrency for each server separately, so that a server that hangs delays only its own callers. */
import type { DirectoryUnreachable } from "@sojourn/core"
import { Effect, Option, RcMap, Scope, Semaphore } from "effect"
import { unreachable } from "./Failures.ts"

/** The most operations of one server that run, and that wait. */
export interface ConcurrencyLimits {
  readonly connectionsPerServer: number
  readonly waitingPerServer: number
}

/** Runs an effect within the limits of the server with this key. */
export type ConcurrencyLimiter = <A, E, R>(
  key: string,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | DirectoryUnreachable, R>

const tooMany = Effect.fail(unreachable("too many wait for this directory already"))

/** Makes a limiter. When too many already wait for a server, the next fails at once with `DirectoryUnreachable`. */
export const makeConcurrencyLimiter = Effect.fnUntraced(function* ({
  connectionsPerServer,
  waitingPerServer
}: ConcurrencyLimits): Effect.fn.Return<ConcurrencyLimiter, never, Scope.Scope> {
  // A server is in the map while an operation of it runs or waits.
  const servers = yield* RcMap.make({
    lookup: (_key: string) =>
      Effect.all({
        admission: Semaphore.make(connectionsPerServer + waitingPerServer),
        connections: Semaphore.make(connectionsPerServer)
      })
  })
  return (key, effect) =>
    Effect.scopedWith((scope) =>
      Effect.flatMap(Scope.provide(RcMap.get(servers, key), scope), ({ admission, connections }) =>
        admission.withPermitsIfAvailable(1)(connections.withPermit(effect))
      )
    ).pipe(Effect.flatMap(Option.match({ onNone: () => tooMany, onSome: Effect.succeed })))
})
