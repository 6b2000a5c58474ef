/** Ends responses to requests whose bodies are refused. */
import type { NodeRequest, NodeResponse } from "./nodeTypes.ts"

/** How long the rest of a body is received and dropped after the answer, in milliseconds. */
const LONGEST = 5_000

/**
 * Writes the body of a response whose head is written, and ends it once the request's body has arrived, the client has closed the
 * connection, or 5 seconds have passed. Node closes the connection then. Closing it while the body arrives would reset it, and the
 * client could lose the answer (RFC 9112, section 9.6).
 */
export const endAfterBody = (request: NodeRequest, response: NodeResponse, body?: string | Uint8Array): void => {
  const end = () => {
    clearTimeout(closing)
    request.off("end", end)
    request.off("close", end)
    response.end()
  }
  const closing = setTimeout(end, LONGEST)
  if (body === undefined) response.flushHeaders()
  else response.write(body)
  request.on("end", end)
  request.on("close", end)
  request.resume()
}
