/** How the HTTP clients of tests send a request: on connections that are used again, and left before the server closes them. */
import http from "node:http"

/** How long a connection is kept idle, in milliseconds: servers close it after 5 seconds or later, and a busy machine may notice late. */
const IDLE = 2_000

/** Connections that are used again. */
export const makeAgent = (maxSockets = Infinity) => new http.Agent({ keepAlive: true, maxSockets, timeout: IDLE })

/** The parts of a request beside its method and path. */
export interface Sent {
  /** Sent as JSON; a text is sent as it is. */
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>> | string
  readonly body?: string | Uint8Array | undefined
  /** The Content-Type, in place of that of `json` and `form`. */
  readonly type?: string | undefined
  readonly chunked?: boolean
  readonly headers?: http.OutgoingHttpHeaders
}

/** A request to a server. */
export interface HttpRequest extends Sent, Pick<http.RequestOptions, "agent" | "signal"> {
  readonly method?: string
  /** It is sent as it is. */
  readonly path: string
  /** A bearer token. */
  readonly token?: string | undefined
  /** How long an answer may take, in milliseconds. */
  readonly timeout?: number
}

/** An answer that arrived completely. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  /** The parsed body, when it is JSON. */
  readonly json: any
}

const contentOf = ({ json, form, body }: Sent): { readonly bytes?: Buffer; readonly type?: string } => {
  if (json !== undefined) {
    return { bytes: Buffer.from(typeof json === "string" ? json : JSON.stringify(json)), type: "application/json" }
  }
  if (form !== undefined) {
    const text = typeof form === "string" ? form : new URLSearchParams(form).toString()
    return { bytes: Buffer.from(text), type: "application/x-www-form-urlencoded" }
  }
  return body === undefined ? {} : { bytes: Buffer.from(body) }
}

const parseJson = (type: string | undefined, text: string): any => {
  if (!/json/.test(type ?? "")) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request. Rejects where no complete answer arrives. */
export const send = (baseUrl: string, request: HttpRequest): Promise<HttpAnswer> => {
  const { method, path, token, chunked = false, headers, agent, signal, timeout = 60_000 } = request
  const content = contentOf(request)
  const type = request.type ?? content.type
  const { hostname, port } = new URL(baseUrl)
  const options: http.RequestOptions = {
    hostname,
    port,
    method,
    path,
    agent,
    signal,
    timeout,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { "content-type": type }),
      ...(content.bytes !== undefined &&
        (chunked ? { "transfer-encoding": "chunked" } : { "content-length": content.bytes.length })),
      ...headers
    }
  }
  return new Promise((resolve, reject) => {
    const sending = http.request(options, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8")
        const json = parseJson(response.headers["content-type"], text)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    sending.on("timeout", () => sending.destroy(new Error(`no answer to ${path} in ${timeout} ms`)))
    sending.on("error", reject)
    sending.end(content.bytes)
  })
}
