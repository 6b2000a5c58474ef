/** Node's HTTP server as a layer: admission control before the listener, and the drain. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Duration, Effect, Latch, Layer, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { AdmissionController, type AdmissionOptions, type NodeListener } from "./AdmissionController.ts"
import { createServer } from "./createServer.ts"
import { rejectMalformed } from "./malformedRequests.ts"
import type { PermittedRequest, PermittedResponse } from "./RequestPermit.ts"
import { registerGauges } from "./metrics.ts"
import { listenForProbes } from "./probes.ts"
import { closeServer, ServerDrain } from "./ServerDrain.ts"

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

/** The address of a server, and its bounds. */
export interface NodeServerOptions extends Partial<AdmissionOptions> {
  readonly host: string
  readonly port: number
  /** How many connections may be open; further ones are closed at once. */
  readonly maxConnections?: number | undefined
  /** How long a connection is kept on which nothing is sent; 65 seconds by default. */
  readonly keepAlive?: Duration.Input | undefined
  /** A second port, for metrics and health; none by default. */
  readonly metricsPort?: number | undefined
  /** How long the drain waits for requests that are being answered; 10 seconds by default. */
  readonly drainTimeout?: Duration.Input | undefined
}

/** The default bounds of a server. */
export const BOUNDS = { maxConnections: 10_000, maxInFlight: 2048 } as const

/** The listen backlog; the system may allow fewer. */
const BACKLOG = 4096

/**
 * Serves HTTP on an address. On release it drains: it accepts no connections, closes idle ones at once, and waits for requests that are
 * being answered.
 */
export const layerNodeServer = ({
  drainTimeout = "10 seconds",
  maxConnections = BOUNDS.maxConnections,
  maxInFlight = BOUNDS.maxInFlight,
  keepAlive = "65 seconds",
  corsOrigins = [],
  metricsPort,
  ...address
}: NodeServerOptions) => {
  const services = Effect.gen(function* () {
    const keepAliveMillis = Duration.toMillis(Duration.fromInputUnsafe(keepAlive))
    const server = createServer({ maxConnections, keepAliveMillis })
    const controller = new AdmissionController(server, { maxInFlight, corsOrigins })
    yield* registerGauges(() => controller.gauges)

    const serve = (expectsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) =>
      controller.serve(request as PermittedRequest, response as PermittedResponse, expectsContinue)
    server.on("request", serve(false))
    server.on("checkContinue", serve(true))
    rejectMalformed(server, controller)
    if (metricsPort !== undefined) {
      yield* listenForProbes((request, response) => controller.listener(request, response), {
        ...address,
        port: metricsPort
      })
    }

    const begun = Latch.makeUnsafe(false)
    const announce = Effect.sync(() => {
      controller.beginDrain()
      begun.openUnsafe()
    })
    const drainMillis = Duration.toMillis(Duration.fromInputUnsafe(drainTimeout))
    const drain = Effect.andThen(announce, closeServer(server, controller, drainMillis))
    const context = Context.make(NodeRequests, {
      serve: (attached) =>
        Effect.acquireRelease(
          Effect.sync(() => void (controller.listener = attached)),
          () => drain
        )
    }).pipe(
      // The rest of the time is for clients that are slow to read the last message.
      Context.add(ServerDrain, { announce, begun: Effect.as(begun.await, Duration.millis(drainMillis / 2)) })
    )
    // Also a server to which no listener was attached.
    const drained = Layer.effectContext(Effect.acquireRelease(Effect.succeed(context), () => drain))
    return Layer.provideMerge(
      drained,
      NodeHttpServer.layer(() => server, { ...address, backlog: BACKLOG })
    )
  })
  return Layer.unwrap(services)
}
