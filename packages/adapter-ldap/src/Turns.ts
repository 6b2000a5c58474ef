import { DirectoryUnreachable } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** So many at once, and so many that wait. */
export interface TurnLimits {
  readonly connectionsPerServer: number
  readonly waitingPerServer: number
}

/** Runs what asks a server when it is its turn there. */
export type InTurn = <A, E, R>(
  key: string,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | DirectoryUnreachable, R>

interface Server {
  readonly turns: Semaphore.Semaphore
  /** Who is asking and who waits. */
  guests: number
}

/**
 * Each server has its own turns: one that does not answer holds up those who ask it, and nobody else. When too many wait
 * for it already, the next fails at once.
 */
export const makeTurns = ({ connectionsPerServer, waitingPerServer }: TurnLimits): InTurn => {
  const servers = new Map<string, Server>()
  const arrive = (key: string): Server | undefined => {
    const server = servers.get(key) ?? { turns: Semaphore.makeUnsafe(connectionsPerServer), guests: 0 }
    if (server.guests >= connectionsPerServer + waitingPerServer) return undefined
    servers.set(key, server)
    server.guests += 1
    return server
  }
  const leave = (key: string, server: Server) => {
    server.guests -= 1
    if (server.guests === 0) servers.delete(key)
  }
  const tooMany = Effect.fail(new DirectoryUnreachable({ reason: "too many wait for this directory already" }))
  return <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => arrive(key)),
      (server): Effect.Effect<A, E | DirectoryUnreachable, R> =>
        server === undefined ? tooMany : server.turns.withPermit(effect),
      (server) => Effect.sync(() => server === undefined || leave(key, server))
    )
}
