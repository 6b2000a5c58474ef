import { setTimeout as pause } from "node:timers/promises"
import type { Answer, Asked, Client } from "./asking.ts"
import type { Ledger } from "./Ledger.ts"

/** How long a phone goes on asking before it counts as never answered, in milliseconds. */
export const STAMINA = 60_000

/** What may happen to requests at the moment. */
export interface Weather {
  /** The server may refuse (503): only while something is done to it. */
  mayRefuse: boolean
  /** There may be no answer at all: only when the server's process is killed, or the way to it cut. */
  mayBeSilent: boolean
}

/** What the phones of a crowd share. */
export interface Surroundings {
  readonly client: Client
  readonly ledger: Ledger
  /** Where the server is now, if it is. */
  readonly baseUrl: () => string | undefined
  readonly weather: Readonly<Weather>
}

/** A phone's way to ask: as often as it takes. */
export interface Phone {
  /** The answer that says what became of it, to the very same request however often it is sent; none when there is none. */
  readonly insist: (asked: Asked, status: number) => Promise<Answer | undefined>
  /** Asks once. No answer, or a refusal for now, is `undefined`. */
  readonly askOnce: (asked: Asked, status: number) => Promise<Answer | undefined>
  /** When the request was sent that was answered last. */
  readonly servedAt: () => number
}

export const makePhone = ({ client, ledger, baseUrl, weather }: Surroundings): Phone => {
  let served = 0

  /** `undefined`: it is not known what became of it. While there is no server, nothing is sent. */
  const attempt = async (asked: Asked, status: number): Promise<Answer | "wrong" | undefined> => {
    while (baseUrl() === undefined) await pause(10)
    const sentAt = performance.now()
    const couldRefuse = weather.mayRefuse
    const answer = await client.ask(baseUrl(), asked)
    const what = `${asked.method} ${asked.path} answered ${answer.status} ${answer.text}`
    if (answer.status === 0) {
      if (!weather.mayBeSilent) ledger.fault("wrong", what)
      return undefined
    }
    if (answer.status === 503) {
      if (answer.headers["retry-after"] === undefined) ledger.fault("wrong", `${what} without Retry-After`)
      if (!couldRefuse && !weather.mayRefuse) ledger.fault("wrong", `${what} while nothing was amiss`)
      return undefined
    }
    served = sentAt
    if (answer.status === status) return answer
    ledger.fault("wrong", `${what} and not ${status}: ${JSON.stringify(asked.json)}`)
    return "wrong"
  }

  const askOnce = async (asked: Asked, status: number) => {
    const answer = await attempt(asked, status)
    if (answer === undefined && asked.method === "POST") ledger.countAmbiguous()
    return answer === "wrong" ? undefined : answer
  }

  const insist = async (asked: Asked, status: number) => {
    const first = performance.now()
    for (let attempts = 1; performance.now() - first < STAMINA; attempts++) {
      const answer = await attempt(asked, status)
      if (answer !== undefined) return answer === "wrong" ? undefined : answer
      if (attempts === 1) ledger.countAmbiguous()
      await pause(Math.min(20 * attempts, 200))
    }
    ledger.fault("wrong", `${asked.path} was not answered in ${STAMINA} ms`)
    return undefined
  }
  return { insist, askOnce, servedAt: () => served }
}
