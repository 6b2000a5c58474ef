/** Limits concurrency for each server separately, so that a server that hangs delays only its own callers. */
import type { DirectoryUnreachable } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
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

interface Server {
  readonly permits: Semaphore.Semaphore
  /** Operations that run or wait. */
  pending: number
}

/** Makes a limiter. When too many already wait for a server, the next fails at once with `DirectoryUnreachable`. */
export const makeConcurrencyLimiter = ({
  connectionsPerServer,
  waitingPerServer
}: ConcurrencyLimits): ConcurrencyLimiter => {
  const servers = new Map<string, Server>()
  const enter = (key: string): Server | undefined => {
    const server = servers.get(key) ?? { permits: Semaphore.makeUnsafe(connectionsPerServer), pending: 0 }
    if (server.pending >= connectionsPerServer + waitingPerServer) return undefined
    servers.set(key, server)
    server.pending += 1
    return server
  }
  const leave = (key: string, server: Server) => {
    server.pending -= 1
    if (server.pending === 0) servers.delete(key)
  }
  const tooMany = Effect.fail(unreachable("too many wait for this directory already"))
  return <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      (server): Effect.Effect<A, E | DirectoryUnreachable, R> =>
        server === undefined ? tooMany : server.permits.withPermit(effect),
      (server) => Effect.sync(() => server === undefined || leave(key, server))
    )
}
