import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type makeNodeListener, rejectOverload } from "@sojourn/adapter-http"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import type { Duplex } from "node:stream"
import { Doorman, type DoormanOptions } from "./admission/AdmissionController.ts"
import { canShare, openDoors } from "./node/reusePort.ts"
import { drainWithServer } from "./node/drain.ts"
import { Incoming } from "./node/Incoming.ts"
import { showStanding } from "./admission/metrics.ts"
import { KEEP_ALIVE, Outgoing } from "./node/Outgoing.ts"
import { listenForProbes } from "./node/probes.ts"

/** Request heads up to 32 KiB are accepted; Node counts a little more than what the client wrote. */
const LARGEST_HEAD = 36 * 1024

const LINES: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout"
}

/** How long a client has to fetch its refusal, in milliseconds, before the connection is gone. */
const TO_FETCH = 2_000

/**
 * Answers what Node could not read as a request, in the manner of every other answer, and ends the connection, whether the client
 * does or not: nobody else looks after one that Node has handed over. What still comes is read, or the system would throw the
 * refusal away with it.
 */
const refuse = (line: string, socket: Duplex, header = "") => {
  if (!socket.writable) return socket.destroy()
  const id = `X-Request-Id: ${crypto.randomUUID()}`
  socket.end(`HTTP/1.1 ${line}\r\n${id}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`)
  const ending = setTimeout(() => socket.destroy(), TO_FETCH)
  return socket
    .on("error", () => socket.destroy())
    .once("close", () => clearTimeout(ending))
    .resume()
}

/** What answers the requests that were admitted. */
type NodeListener = Effect.Success<typeof makeNodeListener>

/** Where the interface is attached to the server. */
export class NodeRequests extends Context.Service<
  NodeRequests,
  {
    /**
     * Passes every admitted request to the listener while the scope is open. Closing the scope closes the server first: requests
     * that are being answered are waited for, and what answers them outlives them.
     */
    readonly serve: (listener: NodeListener) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@sojourn/server/NodeRequests") {}

const closing = (server: http.Server) =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
  })

/** Passes requests through admission control to the listener that is attached. */
const passRequests = (server: http.Server, doorman: Doorman): NodeRequests["Service"] => {
  let attached: NodeListener = (request, response) => rejectOverload(request, response)
  const pass = (expectsContinue: boolean) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (doorman.admit(request as Incoming, response)) attached(request, response, expectsContinue)
  }
  server.on("request", pass(false))
  server.on("checkContinue", pass(true))
  return NodeRequests.of({
    serve: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => (attached = listener)),
        () => closing(server)
      ).pipe(Effect.asVoid)
  })
}

/** A Node HTTP server with bounds on what a slow or hostile client may cost. */
const createServer = (): http.Server => {
  const server: http.Server = http.createServer({
    IncomingMessage: Incoming,
    ServerResponse: Outgoing,
    maxHeaderSize: LARGEST_HEAD,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: 1_000,
    // The adapter refuses a missing Host itself: Node's own refusal carries no request id.
    requireHostHeader: false,
    // An offer to speak another protocol may be passed over (RFC 9110, section 7.8), and the request answered.
    shouldUpgradeCallback: () => false
  })
  // How long a head may be is bounded by its bytes alone, however many lines they are.
  server.maxHeadersCount = 0
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

/** Says how many requests were not waited for. */
const logCut = Effect.map(Effect.context<never>(), (context) => {
  const run = Effect.runForkWith(context)
  return (cut: number) => {
    const requests = cut === 1 ? "1 request" : `${cut} requests`
    run(Effect.logWarning(`the server ended before it had answered ${requests} (--drain-timeout)`))
  }
})

/** Where a server listens, and what it bears. */
export interface NodeServerOptions extends Partial<DoormanOptions> {
  readonly host: string
  readonly port: number
  /** Another port on which health and metrics are answered too, for whoever watches over the server; none, when left out. */
  readonly probePort?: number | undefined
  /** How long the end of the server waits for requests that are being answered; 10 seconds, when left out. */
  readonly drainTimeout?: Duration.Input | undefined
}

/** What a server bears that says nothing else. */
export const BOUNDS = { maxConnections: 10_000, maxInFlight: 2048 } as const satisfies Partial<DoormanOptions>

/** How many connections may wait to be accepted, if the system allows as many. */
const BACKLOG = 4096

/** Tells a server that its end is near: it serves on, and from now on every answer says that its connection ends with it. */
export class Leaving extends Context.Service<Leaving, { readonly announce: Effect.Effect<void> }>()(
  "@sojourn/server/Leaving"
) {}

/**
 * Serves on an address. Its end is graceful: nobody new is let in, connections that are not in use are closed at once, and
 * requests that are being answered are waited for.
 */
export const layerNodeServer = ({
  drainTimeout = "10 seconds",
  maxConnections = BOUNDS.maxConnections,
  maxInFlight = BOUNDS.maxInFlight,
  corsOrigins = [],
  probePort,
  ...address
}: NodeServerOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = createServer()
      const doorman = new Doorman(server, { maxConnections, maxInFlight, corsOrigins })
      yield* showStanding(() => doorman.standing)
      const isShared = yield* canShare(address)
      if (isShared) openDoors(server, { host: address.host, backlog: BACKLOG })
      const patience = Duration.toMillis(Duration.fromInputUnsafe(drainTimeout))
      drainWithServer(server, doorman, patience, yield* logCut)
      if (probePort !== undefined) yield* listenForProbes(server, { host: address.host, port: probePort })
      return Layer.mergeAll(
        NodeHttpServer.layer(() => server, {
          ...address,
          backlog: BACKLOG,
          reusePort: isShared,
          // The drain ends before, whatever hangs.
          gracefulShutdownTimeout: Duration.millis(patience + 5_000)
        }),
        Layer.succeed(NodeRequests, passRequests(server, doorman)),
        Layer.succeed(Leaving, { announce: Effect.sync(() => doorman.leave()) })
      )
    })
  )
