/** Requests to the server as the user: deadlines, the token's renewal, and answers that are not the server's. */
import { type Endpoint, type Input, request } from "@sojourn/client/http"
import { ENDPOINTS } from "./endpoints.ts"
import { parseHttpDate, parseRetryAfter } from "./httpDate.ts"
import { globals, type Platform, within } from "./platform.ts"
import { isHtml, type ServerClock } from "./serverClock.ts"
import { TrackerError, type TrackerConfig, type TrackerResponse } from "./types.ts"

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number
  /** The body where it is JSON. */
  readonly json: any
  readonly isHtml: boolean
  /** The server's clock. */
  readonly date: number | undefined
  /** How long to wait, in milliseconds, where the server asks for it. */
  readonly retryAfter: number | undefined
}

/** How long a request, and the app's `token`, may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000

const parseJson = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why the server refused, in its words where it has some. */
export const reasonOf = ({ status, json }: Answer): string =>
  typeof json?.detail === "string" ? json.detail : `The server answered ${status}.`

/** What a network that asks its user to sign in answers in the server's place, and what other programs at its address do. */
export const unexpected = () => new TrackerError("The answer is none of the server's.")

/** Throws what is no success of the server: JSON, or nothing. */
export const requireSuccess = (answer: Answer): Answer => {
  if (answer.status < 200 || answer.status >= 300) throw new TrackerError(reasonOf(answer), answer.status)
  if (answer.json === undefined && answer.status !== 204) throw unexpected()
  return answer
}

/** The server, as this user calls it. */
export const makeConnection = (
  { url, token, fetch }: TrackerConfig,
  { platform, clock, now }: { readonly platform: Platform; readonly clock: ServerClock; readonly now: () => number }
) => {
  const send: NonNullable<TrackerConfig["fetch"]> = fetch ?? ((to, sent) => globals.fetch(to, sent))
  let bearer: string | undefined

  const attempt = async (endpoint: Endpoint, input: Input, token?: string): Promise<Answer> => {
    const sentAt = now()
    const abort = globals.AbortController && new globals.AbortController()
    const client = {
      baseUrl: url.replace(/\/+$/, ""),
      token,
      fetch: async (to: string, sent: any): Promise<any> => {
        const settings = { redirect: "error", cache: "no-store", credentials: "omit" } as const
        const response = await send(to, { ...sent, ...settings, ...(abort && { signal: abort.signal }) })
        clock.measure(response, sentAt)
        return response
      }
    }
    const exchange = async () => {
      const response: TrackerResponse = await request(client, endpoint, input)
      return [response, await response.text()] as const
    }
    try {
      const [{ status, headers }, text] = await within(platform, REQUEST_TIMEOUT_MS, "no answer in time", exchange())
      const date = parseHttpDate(headers.get("date"))
      return {
        status,
        json: parseJson(text),
        isHtml: isHtml(headers),
        date,
        retryAfter: parseRetryAfter(headers.get("retry-after"), date ?? clock.correct(now()))
      }
    } catch (error) {
      abort?.abort()
      const { cause = error } = error as { readonly cause?: unknown }
      throw new TrackerError(`The server cannot be reached: ${cause instanceof Error ? cause.message : cause}`)
    }
  }

  /** A bearer token, if the app has one in time: what waits for it would keep everything else waiting. */
  const ask = () => within(platform, REQUEST_TIMEOUT_MS, "no token in time", (async () => token())())

  return {
    /** Calls as the user. A token that the server refuses is asked for anew, once. */
    call: async (endpoint: Endpoint, input: Input): Promise<Answer> => {
      bearer ??= await ask()
      const answer = await attempt(endpoint, input, bearer)
      if (answer.status !== 401) return answer
      bearer = await ask()
      const second = await attempt(endpoint, input, bearer)
      if (second.status === 401) bearer = undefined
      return second
    },
    /** Asks for the server's time. */
    askTime: () => attempt(ENDPOINTS.health.live, {}),
    forget: () => {
      bearer = undefined
    }
  }
}

export type Connection = ReturnType<typeof makeConnection>
