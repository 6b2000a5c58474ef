/** Servers of the tests' own making, and how many connections they have. */
import { Effect } from "effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import type { Certificate } from "./certificates.ts"

/** A server on loopback. */
export interface Listener {
  readonly port: number
  /** `localhost:PORT` */
  readonly address: string
  /** The number of connections accepted so far. */
  readonly connections: () => number
  /** How many are connected now. */
  readonly open: () => number
  /** How many were at once, at most. */
  readonly most: () => number
}

const serve = (server: Server) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    let connections = 0
    let most = 0
    server.on("connection", (socket) => {
      connections += 1
      sockets.add(socket)
      most = Math.max(most, sockets.size)
      socket.on("error", () => {})
      socket.once("close", () => sockets.delete(socket))
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(async () => {
          for (const socket of sockets) socket.destroy()
          await new Promise((resolve) => server.close(resolve))
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      port,
      address: `localhost:${port}`,
      connections: () => connections,
      open: () => sockets.size,
      most: () => most
    } satisfies Listener
  })

/** Hands each connection to `talk`, and keeps what clients send before another listener takes the connection over. */
export const startListener = (talk: (socket: Socket) => void) =>
  Effect.suspend(() => {
    const said: Array<Buffer> = []
    const server = createServer((socket) => {
      socket.on("data", (bytes: Buffer) => said.push(bytes))
      talk(socket)
      // A socket that is not read does not notice the end of the connection.
      socket.resume()
    })
    return Effect.map(serve(server), (listener) => ({
      ...listener,
      said: () => Buffer.concat(said).toString("latin1")
    }))
  })

/** The same over TLS. */
export const startTlsListener = (certificate: Certificate, talk: (socket: Socket) => void) =>
  Effect.suspend(() => {
    const server = createTlsServer({ cert: certificate.pem, key: certificate.keyPem }, (socket) => {
      talk(socket)
      socket.on("error", () => {}).resume()
    })
    server.on("tlsClientError", () => {})
    return serve(server)
  })

/** Forwards everything to a port and back. */
export const startRelay = (port: number) =>
  startListener((client) => {
    const server = connect(port, "127.0.0.1")
    server.on("error", () => client.destroy())
    client.pipe(server)
    server.pipe(client)
    client.once("close", () => server.destroy())
    server.once("close", () => client.destroy())
  })

/** Waits for what other parts do. */
export const until = (what: string, condition: () => boolean) =>
  Effect.gen(function* () {
    const deadline = performance.now() + 60_000
    while (!condition()) {
      if (performance.now() > deadline) return yield* Effect.die(new Error(`it did not happen: ${what}`))
      yield* Effect.sleep("5 millis")
    }
  })
