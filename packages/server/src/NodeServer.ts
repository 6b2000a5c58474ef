import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { DirectRequests, type Take } from "@sojourn/adapter-http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as http from "node:http"
import type { Duplex } from "node:stream"

/** Request heads up to 32 KiB are accepted; Node counts a little more than what the client wrote. */
const LARGEST_HEAD = 36 * 1024

const LINES: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout"
}

/** Answers what Node could not read as a request, in the manner of every other answer, and ends the connection. */
const refuse = (line: string, socket: Duplex, header = "") => {
  if (!socket.writable) return socket.destroy()
  const id = `X-Request-Id: ${crypto.randomUUID()}`
  return socket.end(`HTTP/1.1 ${line}\r\n${id}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

/**
 * Clients open connections ahead of their requests. Node waits for one that never had a request as if it had one, so the end
 * of the server takes those with it. Answers what tells that a connection has had one.
 */
const endUnusedWithServer = (server: http.Server): ((socket: Duplex) => void) => {
  const unused = new Set<Duplex>()
  server.on("connection", (socket: Duplex) => {
    unused.add(socket)
    socket.once("close", () => unused.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (callback) => {
    for (const socket of unused) socket.destroy()
    return close(callback)
  }
  return (socket) => unused.delete(socket)
}

/**
 * Offers each request to whoever takes some directly, before the server's listeners have it: what holds for every request
 * is done here, as a request that is taken reaches none of them.
 */
const offerRequests = (server: http.Server) => {
  const use = endUnusedWithServer(server)
  let take: Take | undefined
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<never>) => {
    if (event !== "request") return emit(event, ...args)
    const [request, response] = args as unknown as [http.IncomingMessage, http.ServerResponse]
    use(request.socket)
    return take?.(request, response) === true || emit(event, request, response)
  }
  return (taking: Take) =>
    Effect.acquireRelease(
      Effect.sync(() => (take = taking)),
      () => Effect.sync(() => (take = undefined))
    ).pipe(Effect.asVoid)
}

/** A Node HTTP server with bounds on what a slow or hostile client may cost. */
const createServer = (): http.Server => {
  const server = http.createServer({
    maxHeaderSize: LARGEST_HEAD,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    // The adapter refuses a missing Host itself: Node's own refusal carries no request id.
    requireHostHeader: false,
    // An offer to speak another protocol may be passed over (RFC 9110, section 7.8), and the request answered.
    shouldUpgradeCallback: () => false
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") return socket.destroy()
    return refuse(LINES[error.code ?? ""] ?? "400 Bad Request", socket)
  })
  server.on("connect", (_request, socket) =>
    refuse("405 Method Not Allowed", socket, "Allow: GET, HEAD, POST, PUT, PATCH, DELETE\r\n")
  )
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** Serves on an address; ends gracefully, waiting so long for requests that are being answered. */
export const layerNodeServer = (options: { readonly host: string; readonly port: number }) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = createServer()
      return Layer.merge(
        NodeHttpServer.layer(() => server, { ...options, gracefulShutdownTimeout: "10 seconds" }),
        Layer.succeed(DirectRequests, offerRequests(server))
      )
    })
  )
