/** The HTTP client of tests with a server process: it rejects where no answer arrives. */
import { makeAgent, send } from "../sending.ts"

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
  const agent = makeAgent(64)
  return {
    send: async (
      token: string | undefined,
      method: string,
      path: string,
      { headers = {}, body }: Sent = {}
    ): Promise<Answer> => {
      const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      const { status, text } = await send(baseUrl, { agent, method, path, headers: sent }, body)
      return { status, text, json: parsed(text) }
    },
    close: () => agent.destroy()
  }
}
