import { type AddressInfo, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** A directory without a certificate that talks to each connection as a test says. */
export const startScripted = async (talk: (socket: Socket) => void) => {
  const server = createServer((socket) => talk(socket.on("error", () => {})))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server: address, url: `${address}/dc=x`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

/** A directory that hangs: it accepts connections and never answers. */
export const startHung = async () => {
  const sockets = new Set<Socket>()
  const { server, stop } = await startScripted((socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    // A socket that is not read does not notice the end of the connection.
    socket.resume()
  })
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    server,
    url: `${server}/dc=example?uid?sub`,
    /** Waits until exactly `count` connections are open. */
    until: async (connections: number) => {
      while (sockets.size !== connections) await sleep(5)
    },
    hangUp,
    stop: async () => {
      hangUp()
      await stop()
    }
  }
}
