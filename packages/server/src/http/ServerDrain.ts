/** The drain of a server: closing it waits for open requests, but not without a bound. */
import { Context, type Duration, Effect } from "effect"
import type { Server } from "node:http"
import type { AdmissionController } from "./AdmissionController.ts"

/** The drain of a server: it goes on serving, and from its begin on every answer closes its connection. */
export class ServerDrain extends Context.Service<
  ServerDrain,
  {
    /** Begins the drain. Closing the server does so at the latest. */
    readonly announce: Effect.Effect<void>
    /** Ends once the drain has begun, with the time within which streams shall end. */
    readonly begun: Effect.Effect<Duration.Duration>
  }
>()("@sojourn/server/ServerDrain") {}

/** The interval between two checks of the connections during a drain, in milliseconds. */
const CHECK = 50

/** How long a request may take to arrive whose first part was received before the drain, in milliseconds. */
const ARRIVAL_TIMEOUT = 1_000

/** Logs how many requests the drain did not wait for. */
const logCut = (cut: number) =>
  Effect.logWarning(
    `the server ended before it had answered ${cut === 1 ? "1 request" : `${cut} requests`} (--drain-timeout)`
  )

/**
 * Closes a server within `timeout` milliseconds, in which open requests are answered. Node's own `close` waits without a bound for
 * connections that never sent a request, and for clients that are slow.
 */
export const closeServer = (server: Server, controller: AdmissionController, timeout: number): Effect.Effect<void> =>
  Effect.callback<number>((resume) => {
    if (!server.listening) return resume(Effect.succeed(0))
    const began = performance.now()
    let cut = 0
    const checking = setInterval(() => {
      const elapsed = performance.now() - began
      if (elapsed >= timeout) {
        cut ||= controller.openRequests
        server.closeAllConnections()
      } else if (elapsed >= ARRIVAL_TIMEOUT) controller.closeIdle(true)
    }, CHECK)
    server.close(() => {
      clearInterval(checking)
      resume(Effect.succeed(cut))
    })
    controller.closeIdle(false)
  }).pipe(Effect.flatMap((cut) => (cut > 0 ? logCut(cut) : Effect.void)))
