import type { Server } from "node:http"
import type { Socket } from "node:net"

/**
 * Closes connections that were idle for too long, but none whose next request has arrived. After a pause of the process Node runs
 * timers before it reads sockets: closing a connection then would reset it under a request that the client sent in time.
 */
export const closeIdle = (server: Server): void => {
  server.on("timeout", (socket: Socket) => {
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  })
}
