/** Bystanders: callers that measure a server while it is under attack. */
import type { Bearer } from "../callers.ts"
import { makeAgent, send } from "../httpClient.ts"

/** What bystanders measured. */
export interface Observed {
  /** The number of answers. */
  readonly answers: number
  /** The numbers of answers with a status other than 2xx, by status; `0` stands for no answer. */
  readonly refused: ReadonlyMap<number, number>
  /** The slowest and the median answer, in milliseconds. For measurements; tests assert no time. */
  readonly slowest: number
  readonly median: number
}

/** The request that bystanders repeat. */
export interface Bystanding {
  readonly baseUrl: string
  readonly path: string
  readonly token: string
  readonly method?: string
  readonly json?: unknown
  /** The number of callers, each with its own connection. */
  readonly callers?: number
  /** Milliseconds between an answer and the caller's next request. */
  readonly pause?: number
}

/** Starts callers that read the counter of an organization. */
export const startCounterReaders = async (baseUrl: string, organizationId: number, { token }: Bearer) =>
  startBystanders({ baseUrl, path: `/presence/organization/${organizationId}/counter`, token: await token })

/** Starts callers that send requests sequentially until `stop`, which returns their measurements. */
export const startBystanders = ({
  baseUrl,
  path,
  token,
  method = "GET",
  json,
  callers = 4,
  pause = 5
}: Bystanding): { readonly stop: () => Promise<Observed> } => {
  const agent = makeAgent(callers)
  const times: Array<number> = []
  const refused = new Map<number, number>()
  const stopping = new AbortController()

  const ask = (): Promise<number> =>
    send(baseUrl, { agent, method, path, token, json }).then(
      ({ status }) => status,
      () => 0
    )

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
