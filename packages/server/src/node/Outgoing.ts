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

/** A response that can be written with its head and body in one piece. */
export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
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
