/** Answers to requests that Node could not parse, or whose method asks for a tunnel. */
import type * as http from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { AdmissionController } from "./AdmissionController.ts"

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
const reject = (line: string, socket: Duplex, header = "") => {
  if (!socket.writable) return socket.destroy()
  const id = `X-Request-Id: ${crypto.randomUUID()}`
  socket.end(`HTTP/1.1 ${line}\r\n${id}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`)
  const closing = setTimeout(() => socket.destroy(), READ_TIMEOUT)
  return socket
    .on("error", () => socket.destroy())
    .once("close", () => clearTimeout(closing))
    .resume()
}

/** Answers malformed requests of a server with 400, 405, 408 or 431, after the answers to those that were sent before on the connection. */
export const rejectMalformed = (server: http.Server, controller: AdmissionController): void => {
  const rejectLast = (line: string, socket: Duplex, header?: string) =>
    controller.endAfterAnswers(socket as Socket, () => reject(line, socket, header))
  server.on("clientError", (error: ParseError, socket) => {
    if (error.code === "ECONNRESET") return void socket.destroy()
    if (isUnknownMethod(error)) return rejectLast("405 Method Not Allowed", socket, METHODS)
    return rejectLast(STATUS_LINES[error.code ?? ""] ?? "400 Bad Request", socket)
  })
  server.on("connect", (_request, socket) => rejectLast("405 Method Not Allowed", socket, METHODS))
}
