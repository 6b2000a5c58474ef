/** A client for tests of faults, in which a missing answer is an outcome like any other. */
import { type HttpAnswer, makeAgent, send } from "../sending.ts"

/** A request of a client. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly token?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer; where none arrived, the status is 0 and the text is the reason. */
export type Answer = HttpAnswer

/** Parses a JSON body; the caller knows its type by the status. */
export const bodyOf = <Shape>({ text }: Answer): Shape => JSON.parse(text) as Shape

const nothing = ({ message }: Error): Answer => ({ status: 0, headers: {}, text: message })

/** The client's timeout, in milliseconds: longer than the server's timeout for its database. */
const TIMEOUT_MS = 45_000

/** A client with its own connections, which `close` ends. */
export interface Client {
  /** Sends a request. Never rejects: a missing answer has the status 0. */
  readonly ask: (baseUrl: string | undefined, request: ClientRequest) => Promise<Answer>
  readonly close: () => void
}

const sent = ({ token, json, headers }: ClientRequest) => {
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
  const agent = makeAgent()
  const ask = async (baseUrl: string | undefined, request: ClientRequest): Promise<Answer> => {
    if (baseUrl === undefined) return nothing(new Error("there is no server"))
    const { body, headers } = sent(request)
    const { method, path } = request
    return send(baseUrl, { agent, method, path, headers, timeout: TIMEOUT_MS }, body).catch(nothing)
  }
  return { ask, close: () => agent.destroy() }
}
