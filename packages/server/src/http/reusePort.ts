/** Several listening sockets on one address (SO_REUSEPORT), so that surges of connections are accepted soon. */
import * as Effect from "effect/Effect"
import { ServeError } from "effect/http/HttpServerError"
import type * as http from "node:http"
import * as net from "node:net"

/** How many sockets listen on one address with SO_REUSEPORT, the server's own included. */
const LISTENERS = 64

/** The address that a server listens on. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Listens on an address and closes at once; fails where that is not possible. */
const tryListening = (options: net.ListenOptions): Effect.Effect<void, ServeError> =>
  Effect.callback((resume) => {
    const server = net.createServer()
    server.once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
    server.listen(options, () => server.close(() => resume(Effect.void)))
  })

/**
 * Whether several sockets may listen on the address and share its connections (SO_REUSEPORT on Linux). Fails when another process
 * listens there: with SO_REUSEPORT a second server of the same user could join unnoticed.
 */
export const canReusePort = ({ host, port }: Address): Effect.Effect<boolean, ServeError> =>
  Effect.gen(function* () {
    // On other systems the option exists with other semantics.
    if (process.platform !== "linux") return false
    const isKnown = yield* Effect.isSuccess(tryListening({ host, port: 0, reusePort: true }))
    // Port 0 stands for a free one.
    if (isKnown && port !== 0) yield* tryListening({ host, port })
    return isKnown
  })

/**
 * Opens additional SO_REUSEPORT listeners once the server listens (with `reusePort`), and closes them with it. Node accepts one
 * connection from each listening socket in a turn of the event loop, and under overload a turn is long: with a single socket, new
 * connections would wait for seconds.
 */
export const openReusePortListeners = (
  server: http.Server,
  { host, backlog }: { readonly host: string; readonly backlog: number }
): void => {
  const listeners: Array<net.Server> = []
  server.once("listening", () => {
    const { port } = server.address() as net.AddressInfo
    for (let nth = 1; nth < LISTENERS; nth++) {
      // The options that an HTTP server gives its own connections.
      const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit("connection", socket)
      )
      // A listener that fails is not replaced: the others accept its connections.
      listener.on("error", () => {})
      listeners.push(listener.listen({ host, port, backlog, reusePort: true }))
    }
  })
  const close = server.close.bind(server)
  server.close = (callback) => {
    const open = listeners.filter(({ listening }) => listening)
    let left = open.length + 1
    let failure: Error | undefined
    const closed = (error?: Error) => {
      failure ??= error
      if (--left === 0) callback?.(failure)
    }
    for (const listener of open) listener.close(closed)
    return close(closed)
  }
}
