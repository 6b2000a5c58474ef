import { type IncomingMessage, ServerResponse, STATUS_CODES } from "node:http"

/** How long a connection may rest between two requests, in milliseconds. */
export const KEEP_ALIVE = 10_000

const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE / 1000}\r\n`

/** The `Date` of answers, put into words once a second. */
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

/** A response that may leave as one piece. */
export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * Sends an answer with a body as `writeHead` and `end` would write it. Where its turn has come and the connection is kept, as
   * nearly always, it is one text and one write, past the steps that look after all kinds of answers: a twentieth of all that a
   * movement costs. Nobody looks at the headers then: they are of characters that headers may have.
   */
  sendWhole(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    encoding: "latin1" | "utf8"
  ): void {
    const { socket, req } = this
    const isUsual = socket?.writable === true && this.shouldKeepAlive && headers["connection"] === undefined
    if (!isUsual || req.method === "HEAD") {
      this.writeHead(status, headers)
      this.end(body, encoding)
      return
    }
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    this.statusCode = status
    this.finished = true
    socket.write(`${head}Date: ${date()}\r\n${KEPT}\r\n${body}`, encoding, (error) => {
      // What has failed ends with its connection.
      if (error === null || error === undefined) this.emit("finish")
    })
    this.emit("prefinish")
  }
}
