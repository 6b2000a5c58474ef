/** The response of the HTTP server: it writes whole answers and chunks of streams with fewer steps than Node. */
import { type IncomingMessage, ServerResponse, STATUS_CODES } from "node:http"

/** How long a connection may be idle between two requests, in milliseconds. */
export const KEEP_ALIVE = 10_000

const KEEP_ALIVE_HEADERS = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE / 1000}\r\n`

/** Formats the `Date` header, once a second. */
const makeDate = () => {
  let second = 0
  let text = ""
  return () => {
    const now = Date.now()
    if (now - second >= 1000 || now < second) {
      second = now - (now % 1000)
      text = new Date(now).toUTCString()
    }
    return text
  }
}

const date = makeDate()

const encoder = new TextEncoder()

/** The chunk that was framed last. Events of presence are the same bytes for many clients. */
let framed: { readonly chunk: Uint8Array; readonly written: ReadonlyArray<Uint8Array> } | undefined

/** A head that was sent, in the field in which Node keeps it. */
const SENT = { _header: "\r\n" }

/** Up to how many bytes the pieces of a chunk are copied into one write. More are written as they are, which copies none. */
const COPIED_BYTES = 16 * 1024

const CRLF = encoder.encode("\r\n")

/** A chunk of chunked coding (RFC 9112, section 7.1), as what to write to the socket. */
const frame = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const [first] = pieces
  if (framed !== undefined && pieces.length === 1 && framed.chunk === first) return framed.written
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const parts = [encoder.encode(`${length.toString(16)}\r\n`), ...pieces, CRLF]
  const written = length > COPIED_BYTES ? parts : [Buffer.concat(parts)]
  if (pieces.length === 1) framed = { chunk: first!, written }
  return written
}

/** A response that can be written with its head and body in one piece, or in chunks of one piece each. */
export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private isBegun = false

  /** Writes the same bytes as `write`, a chunk for all pieces together. The head leaves with the first chunk. */
  writeChunk(pieces: ReadonlyArray<Uint8Array>): boolean {
    const { socket } = this
    if (!this.isBegun || socket?.writable !== true || !this.chunkedEncoding || this.writableEnded) {
      // Without its socket the response waits for an earlier one of the connection.
      const isTaken = this.write(Buffer.concat(pieces))
      this.isBegun = socket !== null
      // The socket has the head. Node asks only whether there was one, and would keep its lines for hours.
      if (this.isBegun) Object.assign(this, SENT)
      return isTaken
    }
    const parts = frame(pieces)
    if (parts.length > 1) socket.cork()
    let isTaken = true
    for (const part of parts) isTaken = socket.write(part)
    if (parts.length > 1) socket.uncork()
    // Node tells the response of a drained socket only after a write of its own.
    if (!isTaken) socket.once("drain", () => this.emit("drain"))
    return isTaken
  }

  /**
   * Sends the same bytes as `writeHead` and `end`. For the next response of a connection that is kept alive, which is the common
   * case, head and body are one string and one write: Node's general steps are a twentieth of the cost of a movement. The
   * headers are not checked then, so the caller must pass valid characters.
   */
  sendWhole(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    encoding: "latin1" | "utf8"
  ): void {
    const { socket, req } = this
    const isFast = socket?.writable === true && this.shouldKeepAlive && headers["connection"] === undefined
    if (!isFast || req.method === "HEAD") {
      this.writeHead(status, headers)
      this.end(body, encoding)
      return
    }
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    this.statusCode = status
    this.finished = true
    socket.write(`${head}Date: ${date()}\r\n${KEEP_ALIVE_HEADERS}\r\n${body}`, encoding, (error) => {
      // After a failed write the connection is closed, which ends the response.
      if (error === null || error === undefined) this.emit("finish")
    })
    this.emit("prefinish")
  }
}
