import { type AddressInfo, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** A directory that hangs: it accepts connections and never answers. */
export const startHung = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).once("close", () => sockets.delete(socket))
    // A socket that is not read does not notice the end of the connection.
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const address = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    server: address,
    url: `${address}/dc=example?uid?sub`,
    /** Waits until exactly `count` connections are open. */
    until: async (connections: number) => {
      while (sockets.size !== connections) await sleep(5)
    },
    hangUp,
    stop: async () => {
      hangUp()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
