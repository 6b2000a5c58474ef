import * as http from "node:http"

/** A request of a client. */
export interface Asked {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly token?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer; the status is 0 when none arrived. */
export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** The body, or the reason why there is no answer. */
  readonly text: string
}

/** Parses a JSON body; the caller knows its type by the status. */
export const bodyOf = <Shape>({ text }: Answer): Shape => JSON.parse(text) as Shape

const nothing = (reason: string): Answer => ({ status: 0, headers: {}, text: reason })

/** The client's timeout, in milliseconds: longer than the server's timeout for its database. */
const PATIENCE = 25_000

/** A client with its own connections, which `close` ends. */
export interface Client {
  /** Sends a request. Never rejects: a missing answer has the status 0. */
  readonly ask: (baseUrl: string | undefined, asked: Asked) => Promise<Answer>
  readonly close: () => void
}

const sent = ({ token, json, headers }: Asked) => {
  const body = json === undefined ? undefined : JSON.stringify(json)
  return {
    body,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      ...headers
    }
  }
}

export const makeClient = (): Client => {
  // A connection that is idle is left 5 seconds before the server closes it: a busy machine may notice that late. Node heeds what the
  // server says of that time only where the agent has a longer timeout of its own; one that equals that of a request would keep the request from
  // setting its own on a connection that is used again.
  const agent = new http.Agent({ keepAlive: true, timeout: 2 * PATIENCE, agentKeepAliveTimeoutBuffer: 5_000 })
  const ask = (baseUrl: string | undefined, asked: Asked): Promise<Answer> => {
    if (baseUrl === undefined) return Promise.resolve(nothing("there is no server"))
    const { body, headers } = sent(asked)
    return new Promise((resolve) => {
      const options = { agent, method: asked.method, headers, timeout: PATIENCE }
      const request = http.request(baseUrl + asked.path, options, (response) => {
        const parts: Array<Buffer> = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("error", (error) => resolve(nothing(error.message)))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8")
          })
        )
      })
      request.on("timeout", () => request.destroy(new Error(`no answer in ${PATIENCE} ms`)))
      request.on("error", (error) => resolve(nothing(error.message)))
      request.end(body)
    })
  }
  return { ask, close: () => agent.destroy() }
}
