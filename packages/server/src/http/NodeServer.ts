/** Node's HTTP server: bounds on slow and hostile clients, admission control before the listener, and the drain. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type makeNodeListener, rejectOverload } from "@sojourn/adapter-http"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import type { Duplex } from "node:stream"
import { AdmissionController, type AdmissionOptions } from "./AdmissionController.ts"
import { registerGauges } from "./metrics.ts"
import { closeIdle } from "./closeIdle.ts"
import { drainOnClose } from "./drain.ts"
import { Incoming } from "./Incoming.ts"
import { KEEP_ALIVE, Outgoing } from "./Outgoing.ts"
import { listenForProbes } from "./probes.ts"
import { canReusePort, openReusePortListeners } from "./reusePort.ts"

/** The bound that accepts request heads up to 32 KiB: Node counts a little more than the client wrote. */
const MAX_HEAD = 36 * 1024

const STATUS_LINES: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout"
}

/** The beginning of a request, whatever its method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/

/** Why Node could not parse a request: what arrived, and where in it the parser stopped. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number }

/** Whether a request is malformed by its method alone, which Node does not know. */
const isUnknownMethod = ({ code, rawPacket, bytesParsed = 0 }: ParseError): boolean =>
  code === "HPE_INVALID_METHOD" &&
  rawPacket !== undefined &&
  REQUEST_LINE.test(rawPacket.toString("latin1", rawPacket.subarray(0, bytesParsed).lastIndexOf("\n") + 1))

const METHODS = "Allow: GET, HEAD, POST, PUT, PATCH, DELETE\r\n"

/** How long a client has to read the answer to a malformed request, in milliseconds. */
const READ_TIMEOUT = 2_000

/**
 * Answers a request that Node could not parse, and closes the connection. Node no longer manages the socket, so a timer closes it
 * even if the client does not. Further input is read and dropped: closing a socket with unread input would reset the connection
 * and discard the answer.
 */
const rejectMalformed = (line: string, socket: Duplex, header = "") => {
  if (!socket.writable) return socket.destroy()
  const id = `X-Request-Id: ${crypto.randomUUID()}`
  socket.end(`HTTP/1.1 ${line}\r\n${id}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`)
  const closing = setTimeout(() => socket.destroy(), READ_TIMEOUT)
  return socket
    .on("error", () => socket.destroy())
    .once("close", () => clearTimeout(closing))
    .resume()
}

/** The listener that answers admitted requests. */
type NodeListener = Effect.Success<typeof makeNodeListener>

/** Attaches a listener to the server. */
export class NodeRequests extends Context.Service<
  NodeRequests,
  {
    /**
     * Passes every admitted request to the listener while the scope is open. Closing the scope drains the server
     * first, so the listener outlives the requests.
     */
    readonly serve: (listener: NodeListener) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@sojourn/server/NodeRequests") {}

const closeServer = (server: http.Server) =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
  })

/** Passes requests through admission control to the attached listener. Without one they are rejected with 503. */
const passRequests = (server: http.Server, controller: AdmissionController): NodeRequests["Service"] => {
  let attached: NodeListener = (request, response) => rejectOverload(request, response)
  const pass = (expectsContinue: boolean) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (controller.admit(request as Incoming, response)) attached(request, response, expectsContinue)
  }
  server.on("request", pass(false))
  server.on("checkContinue", pass(true))
  return NodeRequests.of({
    serve: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => (attached = listener)),
        () => closeServer(server)
      ).pipe(Effect.asVoid)
  })
}

/** Creates a Node HTTP server with bounds on the cost of slow and hostile clients. */
const createServer = (): http.Server => {
  const server: http.Server = http.createServer({
    IncomingMessage: Incoming,
    ServerResponse: Outgoing,
    maxHeaderSize: MAX_HEAD,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: 1_000,
    // The adapter answers a missing Host itself: Node's own answer has no request id.
    requireHostHeader: false,
    // `Upgrade` is ignored, and the request answered (RFC 9110, section 7.8).
    shouldUpgradeCallback: () => false
  })
  closeIdle(server)
  // Heads are bounded by their bytes, not by their number of lines.
  server.maxHeadersCount = 0
  server.on("clientError", (error: ParseError, socket) => {
    if (error.code === "ECONNRESET") return socket.destroy()
    if (isUnknownMethod(error)) return rejectMalformed("405 Method Not Allowed", socket, METHODS)
    return rejectMalformed(STATUS_LINES[error.code ?? ""] ?? "400 Bad Request", socket)
  })
  server.on("connect", (_request, socket) => rejectMalformed("405 Method Not Allowed", socket, METHODS))
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** Logs how many requests the drain did not wait for. */
const logCut = Effect.map(Effect.context<never>(), (context) => {
  const run = Effect.runForkWith(context)
  return (cut: number) => {
    const requests = cut === 1 ? "1 request" : `${cut} requests`
    run(Effect.logWarning(`the server ended before it had answered ${requests} (--drain-timeout)`))
  }
})

/** The address of a server, and its bounds. */
export interface NodeServerOptions extends Partial<AdmissionOptions> {
  readonly host: string
  readonly port: number
  /** A second port, for metrics and health; none by default. */
  readonly metricsPort?: number | undefined
  /** How long the drain waits for requests that are being answered; 10 seconds by default. */
  readonly drainTimeout?: Duration.Input | undefined
}

/** The default bounds of a server. */
export const BOUNDS = { maxConnections: 10_000, maxInFlight: 2048 } as const satisfies Partial<AdmissionOptions>

/** The listen backlog of each socket; the system may allow fewer. */
const BACKLOG = 4096

/** The drain of a server: it goes on serving, and from its begin on every answer closes its connection. */
export class ServerDrain extends Context.Service<
  ServerDrain,
  {
    /** Begins the drain. Closing the server does so at the latest. */
    readonly announce: Effect.Effect<void>
    /** Ends once the drain has begun, with the time within which streams shall end. */
    readonly begun: Effect.Effect<Duration.Duration>
  }
>()("@sojourn/server/ServerDrain") {}

/**
 * Serves HTTP on an address. On release it drains: it accepts no connections, closes idle ones at once, and waits for requests that are
 * being answered.
 */
export const layerNodeServer = ({
  drainTimeout = "10 seconds",
  maxConnections = BOUNDS.maxConnections,
  maxInFlight = BOUNDS.maxInFlight,
  corsOrigins = [],
  metricsPort,
  ...address
}: NodeServerOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = createServer()
      const controller = new AdmissionController(server, { maxConnections, maxInFlight, corsOrigins })
      yield* registerGauges(() => controller.gauges)
      const isPortReused = yield* canReusePort(address)
      if (isPortReused) openReusePortListeners(server, { host: address.host, backlog: BACKLOG })
      const begun = Latch.makeUnsafe(false)
      controller.onDrain = () => void begun.openUnsafe()
      const drainMillis = Duration.toMillis(Duration.fromInputUnsafe(drainTimeout))
      drainOnClose(server, controller, drainMillis, yield* logCut)
      if (metricsPort !== undefined) yield* listenForProbes(server, { host: address.host, port: metricsPort })
      return Layer.mergeAll(
        NodeHttpServer.layer(() => server, {
          ...address,
          backlog: BACKLOG,
          reusePort: isPortReused,
          // The drain ends before this timeout.
          gracefulShutdownTimeout: Duration.millis(drainMillis + 5_000)
        }),
        Layer.succeed(NodeRequests, passRequests(server, controller)),
        Layer.succeed(ServerDrain, {
          announce: Effect.sync(() => controller.beginDrain()),
          // The rest of the time is for clients that are slow to read the last message.
          begun: Effect.as(begun.await, Duration.millis(drainMillis / 2))
        })
      )
    })
  )
