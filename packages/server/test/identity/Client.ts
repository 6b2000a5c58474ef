import * as http from "node:http"

export interface Answer {
  readonly status: number
  readonly text: string
  /** The parsed body, if there is one. */
  readonly json: any
}

/** The parts of a request beside its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A client of a server; `close` closes all its connections. */
export const makeClient = (baseUrl: string) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(baseUrl)
  return {
    send: (token: string | undefined, method: string, path: string, { headers = {}, body }: Sent = {}) =>
      new Promise<Answer>((resolve, reject) => {
        const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
        const request = http.request({ hostname, port, agent, method, path, headers: sent }, (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (part: string) => (text += part))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text, json: parsed(text) }))
          response.on("error", reject)
        })
        request.on("error", reject)
        request.end(body)
      }),
    close: () => agent.destroy()
  }
}
