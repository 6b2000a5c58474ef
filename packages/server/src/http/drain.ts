/** The drain: closing a server waits for open requests, but not without a bound. */
import type { Server } from "node:http"
import type { AdmissionController } from "./AdmissionController.ts"

/** The interval between two checks of the connections during a drain, in milliseconds. */
const CHECK = 50

/** How long a request may take to arrive whose first part was received before the drain, in milliseconds. */
const ARRIVAL_TIMEOUT = 1_000

/**
 * Makes `server.close` drain the server within `timeout` milliseconds. Node's own `close` waits without a bound for connections that
 * never sent a request, and for clients that are slow. Open requests have until the timeout to be answered; `onCut` is called with
 * the number of those that were not.
 */
export const drainOnClose = (
  server: Server,
  controller: AdmissionController,
  timeout: number,
  onCut: (cut: number) => void
): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    controller.beginDrain()
    controller.closeIdle(false)
    const began = performance.now()
    const checking = setInterval(() => {
      const elapsed = performance.now() - began
      if (elapsed >= timeout) {
        if (controller.openRequests > 0) onCut(controller.openRequests)
        server.closeAllConnections()
      } else if (elapsed >= ARRIVAL_TIMEOUT) controller.closeIdle(true)
    }, CHECK)
    return close((error) => {
      clearInterval(checking)
      callback?.(error)
    })
  }
}
