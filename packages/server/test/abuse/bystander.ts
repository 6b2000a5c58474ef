/** Other callers of a server that is under attack: what the attack costs them. */
import * as http from "node:http"

/** What bystanders saw of a server. */
export interface Observed {
  /** How many answers arrived. */
  readonly answers: number
  /** How many answers had another status than 2xx, or did not arrive, by status; `0` stands for no answer. */
  readonly refused: ReadonlyMap<number, number>
  /** The slowest answer and the median, in milliseconds. For measurements; tests assert no time. */
  readonly slowest: number
  readonly median: number
}

/** One request that bystanders send again and again. */
export interface Bystanding {
  readonly baseUrl: string
  readonly path: string
  readonly token: string
  readonly method?: string
  readonly json?: unknown
  /** How many callers, each on a connection of its own. */
  readonly callers?: number
  /** Milliseconds between an answer and the next request of the same caller. */
  readonly pause?: number
}

/** Starts callers who send one request after the other until `stop`, which answers what they saw. */
export const startBystanders = ({
  baseUrl,
  path,
  token,
  method = "GET",
  json,
  callers = 4,
  pause = 5
}: Bystanding): { readonly stop: () => Promise<Observed> } => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers })
  const body = json === undefined ? undefined : JSON.stringify(json)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  }
  const times: Array<number> = []
  const refused = new Map<number, number>()
  const stopping = new AbortController()

  const ask = (): Promise<number> =>
    new Promise((resolve) => {
      const request = http.request(new URL(path, baseUrl), { method, headers, agent }, (response) => {
        response.resume()
        response.on("end", () => resolve(response.statusCode ?? 0))
        response.on("error", () => resolve(0))
      })
      request.on("error", () => resolve(0))
      request.end(body)
    })

  const stand = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const began = performance.now()
      const status = await ask()
      times.push(performance.now() - began)
      if (status < 200 || status >= 300) refused.set(status, (refused.get(status) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  const standing = Array.from({ length: callers }, stand)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(standing)
      agent.destroy()
      times.sort((one, other) => one - other)
      return {
        answers: times.length,
        refused,
        slowest: times.at(-1) ?? 0,
        median: times[Math.floor(times.length / 2)] ?? 0
      }
    }
  }
}
