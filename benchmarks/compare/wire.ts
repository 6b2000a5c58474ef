/**
 * A wire that takes a while, as a process: `wire.ts HOST PORT MILLISECONDS`. Bytes from a client are sent to that
 * address so many milliseconds later, and the bytes of the answer likewise.
 */
import { connect, createServer, type Socket } from "node:net"
import { announce } from "./announce.ts"

const [host, port, milliseconds] = process.argv.slice(2)
const delay = Number(milliseconds)

/** One way. Timers of one length go off in the order in which they were set: nothing overtakes what came before. */
const carry = (from: Socket, to: Socket) => {
  from.setNoDelay(true)
  from.on("data", (piece) => setTimeout(() => to.write(piece), delay))
  from.on("close", () => setTimeout(() => to.destroySoon(), delay))
  from.on("error", () => {})
}

const server = createServer((near) => {
  const far = connect({ host: host!, port: Number(port) })
  carry(near, far)
  carry(far, near)
})

server.listen(0, "127.0.0.1", () => announce(server))
