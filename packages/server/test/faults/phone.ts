/** A simulated client that retries until it knows the outcome, and records each answer that is not allowed at the moment. */
import { setTimeout as pause } from "node:timers/promises"
import type { Answer, ClientRequest, Client } from "./client.ts"
import type { Ledger } from "./Ledger.ts"

/** How long the database is away at least where a test stops it, in milliseconds: SOJOURN_OUTAGE_SECONDS. */
export const OUTAGE = 1000 * Number(process.env.SOJOURN_OUTAGE_SECONDS ?? "0")

/** The time after which a request without an answer is a fault, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 120_000 + OUTAGE

/** The failures of requests that are allowed at the moment. */
export interface ToleratedFailures {
  /** Whether the server may answer 503: only during a fault. */
  mayRefuse: boolean
  /** Whether answers may be missing: only when the server's process is killed, or its network fails. */
  mayBeSilent: boolean
}

/** The context that all clients of a crowd share. */
export interface CrowdContext {
  readonly client: Client
  readonly ledger: Ledger
  /** The server's URL, or undefined while it is down. */
  readonly baseUrl: () => string | undefined
  readonly tolerated: Readonly<ToleratedFailures>
}

/** A client that retries. */
export interface Phone {
  /** Sends the same request until an answer states its outcome; undefined when that is impossible. */
  readonly insist: (request: ClientRequest, status: number) => Promise<Answer | undefined>
  /** Sends a request once. Returns `undefined` without an answer and for a 503. */
  readonly askOnce: (request: ClientRequest, status: number) => Promise<Answer | undefined>
  /** The time at which the request with the latest answer was sent. */
  readonly servedAt: () => number
}

export const makePhone = ({ client, ledger, baseUrl, tolerated }: CrowdContext): Phone => {
  let served = 0

  /** Sends a request once the server is up. Returns `undefined` when its outcome is unknown. */
  const attempt = async (request: ClientRequest, status: number): Promise<Answer | "wrong" | undefined> => {
    while (baseUrl() === undefined) await pause(10)
    const sentAt = performance.now()
    const couldRefuse = tolerated.mayRefuse
    const answer = await client.ask(baseUrl(), request)
    const what = `${request.method} ${request.path} answered ${answer.status} ${answer.text}`
    if (answer.status === 0) {
      if (!tolerated.mayBeSilent) ledger.fault("wrong", what)
      return undefined
    }
    if (answer.status === 503) {
      if (answer.headers["retry-after"] === undefined) ledger.fault("wrong", `${what} without Retry-After`)
      if (!couldRefuse && !tolerated.mayRefuse) ledger.fault("wrong", `${what} while nothing was amiss`)
      return undefined
    }
    served = sentAt
    if (answer.status === status) return answer
    ledger.fault("wrong", `${what} and not ${status}: ${JSON.stringify(request.json)}`)
    return "wrong"
  }

  const askOnce = async (request: ClientRequest, status: number) => {
    const answer = await attempt(request, status)
    if (answer === undefined && request.method === "POST") ledger.countAmbiguous()
    return answer === "wrong" ? undefined : answer
  }

  const insist = async (request: ClientRequest, status: number) => {
    const first = performance.now()
    for (let attempts = 1; performance.now() - first < REQUEST_TIMEOUT_MS; attempts++) {
      const answer = await attempt(request, status)
      if (answer !== undefined) return answer === "wrong" ? undefined : answer
      if (attempts === 1) ledger.countAmbiguous()
      await pause(Math.min(20 * attempts, 200))
    }
    ledger.fault("wrong", `${request.path} was not answered in ${REQUEST_TIMEOUT_MS} ms`)
    return undefined
  }
  return { insist, askOnce, servedAt: () => served }
}
