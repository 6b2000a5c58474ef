/** Creates the HTTP server, with bounds on the cost of slow and hostile clients. */
import { countOverload } from "@sojourn/adapter-http"
import * as http from "node:http"
import { closeIdle } from "./closeIdle.ts"
import { PermittedRequest, PermittedResponse } from "./RequestPermit.ts"

/** The bound that accepts request heads up to 32 KiB: Node counts a little more than the client wrote. */
const MAX_HEAD = 36 * 1024

/** The bounds of connections. */
export interface ConnectionBounds {
  /** How many may be open; further ones are closed at once. */
  readonly maxConnections: number
  /** How long one is kept after an answer, in milliseconds, until the next request begins. */
  readonly keepAliveMillis: number
}

/** Creates a server that closes connections above the bounds. Its requests and responses can hold permits. */
export const createServer = ({ maxConnections, keepAliveMillis }: ConnectionBounds): http.Server => {
  const server: http.Server = http.createServer({
    IncomingMessage: PermittedRequest,
    ServerResponse: PermittedResponse,
    maxHeaderSize: MAX_HEAD,
    // From the first byte of a request, and for the first request from the connection's begin: apart from the time that it is kept.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMillis,
    connectionsCheckingInterval: 1_000,
    // The adapter answers a missing Host itself: Node's own answer has no request id.
    requireHostHeader: false,
    // `Upgrade` is ignored, and the request answered (RFC 9110, section 7.8).
    shouldUpgradeCallback: () => false
  })
  server.maxConnections = maxConnections
  server.on("drop", () => countOverload("connections"))
  closeIdle(server)
  // Heads are bounded by their bytes, not by their number of lines.
  server.maxHeadersCount = 0
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}
