import * as Effect from "effect/Effect"
import { ServeError } from "effect/http/HttpServerError"
import type * as http from "node:http"
import * as net from "node:net"

/** How many sockets listen on one address, where the system shares connections out among them. */
const DOORS = 64

/** Where a server listens. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Listens there for a moment. */
const tryListening = (options: net.ListenOptions): Effect.Effect<void, ServeError> =>
  Effect.callback((resume) => {
    const server = net.createServer()
    server.once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
    server.listen(options, () => server.close(() => resume(Effect.void)))
  })

/**
 * Can several sockets listen on the address and share its connections out, as Linux lets them (SO_REUSEPORT)? Fails when somebody
 * else listens there: beside sockets that share, another server of the same user could, and nobody would notice.
 */
export const canShare = ({ host, port }: Address): Effect.Effect<boolean, ServeError> =>
  Effect.gen(function* () {
    // Other systems know the option and mean something else by it.
    if (process.platform !== "linux") return false
    const isKnown = yield* Effect.isSuccess(tryListening({ host, port: 0, reusePort: true }))
    // A port that the system chooses is nobody's.
    if (isKnown && port !== 0) yield* tryListening({ host, port })
    return isKnown
  })

/**
 * Lets people in by more doors once the server listens (with `reusePort`), and closes them with it. Node takes one connection
 * from each socket each time that it has looked at all that are ready: when there is too much to do, whoever is new would
 * wait for seconds before one door.
 */
export const openDoors = (
  server: http.Server,
  { host, backlog }: { readonly host: string; readonly backlog: number }
): void => {
  const doors: Array<net.Server> = []
  server.once("listening", () => {
    const { port } = server.address() as net.AddressInfo
    for (let nth = 1; nth < DOORS; nth++) {
      // As a server of HTTP takes its own connections.
      const door = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit("connection", socket)
      )
      // There are others.
      door.on("error", () => {})
      doors.push(door.listen({ host, port, backlog, reusePort: true }))
    }
  })
  const close = server.close.bind(server)
  server.close = (callback) => {
    const open = doors.filter(({ listening }) => listening)
    let left = open.length + 1
    let failure: Error | undefined
    const closed = (error?: Error) => {
      failure ??= error
      if (--left === 0) callback?.(failure)
    }
    for (const door of open) door.close(closed)
    return close(closed)
  }
}
