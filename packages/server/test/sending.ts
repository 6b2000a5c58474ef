/** How the HTTP clients of tests send a request: on connections that are used again, and left before the server closes them. */
import http from "node:http"

/** How long a connection is kept idle, in milliseconds: servers close it after 5 seconds or later, and a busy machine may notice late. */
const IDLE = 2_000

/** Connections that are used again. */
export const makeAgent = (maxSockets = Infinity) => new http.Agent({ keepAlive: true, maxSockets, timeout: IDLE })

/** A request to a server. */
export interface HttpRequest extends Pick<http.RequestOptions, "agent" | "headers" | "signal"> {
  readonly method?: string
  /** It is sent as it is. */
  readonly path: string
  /** How long an answer may take, in milliseconds. */
  readonly timeout?: number
}

/** An answer that arrived completely. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/** Sends a request. Rejects where no complete answer arrives. */
export const send = (
  baseUrl: string,
  { timeout = 60_000, ...outgoing }: HttpRequest,
  body?: string | Uint8Array
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    const request = http.request({ hostname, port, timeout, ...outgoing }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8")
        })
      )
    })
    request.on("timeout", () => request.destroy(new Error(`no answer to ${outgoing.path} in ${timeout} ms`)))
    request.on("error", reject)
    request.end(body)
  })
