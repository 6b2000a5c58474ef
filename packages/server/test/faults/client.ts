/** A client for tests of faults, in which a missing answer is an outcome like any other. */
import { type HttpAnswer, type HttpRequest, makeAgent, send } from "../httpClient.ts"

/** A request of a client. */
export interface ClientRequest extends Pick<HttpRequest, "path" | "token" | "json" | "headers"> {
  readonly method: string
}

/** An answer; where none arrived, the status is 0 and the text is the reason. */
export type Answer = HttpAnswer

/** Parses a JSON body; the caller knows its type by the status. */
export const bodyOf = <Shape>({ text }: Answer): Shape => JSON.parse(text) as Shape

const nothing = ({ message }: Error): Answer => ({ status: 0, headers: {}, text: message, json: undefined })

/** The client's timeout, in milliseconds: longer than the server's timeout for its database. */
const TIMEOUT_MS = 45_000

/** A client with its own connections, which `close` ends. */
export interface Client {
  /** Sends a request. Never rejects: a missing answer has the status 0. */
  readonly ask: (baseUrl: string | undefined, request: ClientRequest) => Promise<Answer>
  readonly close: () => void
}

export const makeClient = (): Client => {
  const agent = makeAgent()
  return {
    ask: async (baseUrl, request) =>
      baseUrl === undefined
        ? nothing(new Error("there is no server"))
        : send(baseUrl, { agent, timeout: TIMEOUT_MS, ...request }).catch(nothing),
    close: () => agent.destroy()
  }
}
