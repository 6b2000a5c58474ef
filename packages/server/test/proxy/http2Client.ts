/** A client of HTTP/2 over TLS: its requests and streams share one connection. */
import * as http2 from "node:http2"
import * as tls from "node:tls"
import { authorizationOf, type Bearer, type Call } from "../callers.ts"
import { parseJson } from "../httpClient.ts"
import { makeMessageParser, type Message } from "../messages.ts"

/** A presence stream over HTTP/2. */
export interface Http2Stream {
  readonly status: number
  /** The next message. Rejects at the end of the stream. */
  readonly next: () => Promise<Message>
  readonly close: () => void
}

/** A client with one connection. */
export interface Http2Client {
  readonly protocol: () => string | undefined
  readonly call: Call
  readonly open: (who: Bearer, query: string) => Promise<Http2Stream>
  readonly close: () => void
}

const statusOf = (request: http2.ClientHttp2Stream) =>
  new Promise<http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader>((resolve, reject) => {
    request.once("response", resolve)
    request.once("error", reject)
  })

const textOf = async (request: http2.ClientHttp2Stream): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

const readMessages = (request: http2.ClientHttp2Stream): (() => Promise<Message>) => {
  const parse = makeMessageParser()
  const messages = (async function* () {
    for await (const chunk of request.setEncoding("utf8")) yield* parse(chunk)
  })()
  return async () => {
    const { done, value } = await messages.next()
    if (done) throw new Error("the stream ended")
    return value
  }
}

/** Connects to a server of this machine from one of its addresses. */
export const connectHttp2 = (port: number, ca: string, localAddress = "127.0.0.1"): Http2Client => {
  const connect = () => {
    const options = { host: "127.0.0.1", port, ca, localAddress, ALPNProtocols: ["h2"] }
    const connected = http2.connect(`https://127.0.0.1:${port}`, { createConnection: () => tls.connect(options) })
    // Requests report the errors of their connection.
    return connected.on("error", () => {})
  }
  let current = connect()
  /** The connection, or a new one after nginx has closed it, as it does after 1,000 requests. */
  const session = () => (current = current.closed || current.destroyed ? connect() : current)
  return {
    protocol: () => current.alpnProtocol,
    call: async function call(who, method, path, sent = {}) {
      const body = sent.body ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json))
      const authorization = await authorizationOf(who)
      const request = session().request({
        ":method": method,
        ":path": path,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...authorization,
        ...sent.headers
      })
      request.end(body)
      try {
        const { ":status": status = 0, ...headers } = await statusOf(request)
        const text = await textOf(request)
        return { status, headers, text, json: parseJson(headers["content-type"], text) }
      } catch (error) {
        // nginx did not process it, since the connection has had its 1,000 requests (RFC 9113, 8.7).
        if (request.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM) return call(who, method, path, sent)
        throw error
      }
    },
    open: async (who, query) => {
      const authorization = await authorizationOf(who)
      const request = session().request({ ":path": `/presence/stream${query}`, ...authorization })
      request.end()
      const { ":status": status = 0 } = await statusOf(request)
      return { status, next: readMessages(request), close: () => request.close() }
    },
    close: () => current.destroy()
  }
}
