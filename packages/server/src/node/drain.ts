import type { Server } from "node:http"
import type { Doorman } from "../admission/AdmissionController.ts"

/** How often connections are looked at whose requests may have ended, in milliseconds. */
const LOOK = 50

/** How long a request may go on arriving whose first part was there when the server began to end, in milliseconds. */
const ARRIVAL = 1_000

/**
 * Makes the end of a server a drain. Node closes connections that rest between two requests; it waits for those that never
 * had one, and for those whose client takes its time. Requests that are being answered have `patience` milliseconds;
 * `onCut` is told how many had to be cut.
 */
export const drainWithServer = (
  server: Server,
  doorman: Doorman,
  patience: number,
  onCut: (cut: number) => void
): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    doorman.leave()
    doorman.closeIdle(false)
    const began = performance.now()
    const looking = setInterval(() => {
      const waited = performance.now() - began
      if (waited >= patience) {
        if (doorman.size > 0) onCut(doorman.size)
        server.closeAllConnections()
      } else if (waited >= ARRIVAL) doorman.closeIdle(true)
    }, LOOK)
    return close((error) => {
      clearInterval(looking)
      callback?.(error)
    })
  }
}
