/** Creates the HTTP server, with bounds on the cost of slow and hostile clients. */
import { countOverload } from "@sojourn/adapter-http"
import * as http from "node:http"
import { closeIdle } from "./closeIdle.ts"
import { rejectMalformed } from "./malformedRequests.ts"
import { PermittedRequest, PermittedResponse } from "./messages.ts"

/** The bound that accepts request heads up to 32 KiB: Node counts a little more than the client wrote. */
const MAX_HEAD = 36 * 1024

/** Creates a server that closes connections above `maxConnections` at once. Its requests and responses can hold permits. */
export const createServer = (maxConnections: number): http.Server => {
  const server: http.Server = http.createServer({
    IncomingMessage: PermittedRequest,
    ServerResponse: PermittedResponse,
    maxHeaderSize: MAX_HEAD,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 10_000,
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
  rejectMalformed(server)
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}
