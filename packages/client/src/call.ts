/** A call of an endpoint: its request, repeated where that is wanted and harmless, and its answer read. */
import { Refused, RequestFailed } from "./answer.ts"
import { type ClientOptions, type Endpoint, type Input, request, throwIfAborted } from "./http.ts"
import type { Problem } from "./openapi.ts"

export interface CallOptions {
  /** Ends the call: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** In the place of the client's own. */
  readonly retries?: number | undefined
  /** In the place of the client's own. */
  readonly timeout?: number | undefined
}

/** Whether the server does the same when it gets the request again: then it may have got it before. */
const isRepeatable = (method: string, { body, idempotencyKey }: Input): boolean => {
  const { movementType } = (body ?? {}) as { readonly movementType?: unknown }
  return method !== "POST" || idempotencyKey !== undefined || movementType === "exit" || movementType === -1
}

/** Waits, unless the signal ends it; with `untilOnline` no longer than until a browser says that its network is back. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined, untilOnline = false): Promise<void> =>
  new Promise((resolve, reject) => {
    const waiting = new AbortController()
    const done = () => {
      clearTimeout(timer)
      waiting.abort()
      if (signal?.aborted === true) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(done, milliseconds)
    if (signal?.aborted === true) return done()
    signal?.addEventListener("abort", done, { signal: waiting.signal })
    if (untilOnline)
      (globalThis as unknown as Partial<EventTarget>).addEventListener?.("online", done, { signal: waiting.signal })
  })

/** A signal that ends with the caller's, and when work that is done `inTime` takes longer than so many milliseconds. */
export const limitTime = (signal: AbortSignal | undefined, milliseconds: number | undefined) => {
  const limited = new AbortController()
  const abort = () => limited.abort(signal?.reason)
  signal?.addEventListener("abort", abort)
  if (signal?.aborted === true) abort()
  return {
    signal: limited.signal,
    inTime: <A>(work: Promise<A>): Promise<A> => {
      if (milliseconds === undefined) return work
      const timer = setTimeout(() => limited.abort(new RequestFailed("no answer in time")), milliseconds)
      return work.finally(() => clearTimeout(timer))
    },
    end: () => {
      signal?.removeEventListener("abort", abort)
      limited.abort()
    }
  }
}

/** How long to wait before an attempt, in milliseconds: twice as long each time, spread, with an upper bound. */
export const backoff = (attempt: number, first = 250, most = 30_000): number =>
  Math.min(first * 2 ** attempt, most) * (0.5 + Math.random() / 2)

const refusalOf = async (response: Response, declared: string): Promise<Refused | RequestFailed> => {
  const { status, headers } = response
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined
  if (!declared.split(" ").includes(String(status))) return new RequestFailed(`unexpected status ${status}`, { status })
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10)
  return new Refused(status, {
    type: problem?.type,
    detail: problem?.detail,
    areaFault: problem?.areaFault,
    retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    requestId: headers.get("x-request-id") ?? undefined
  })
}

/** Sends one request, and answers its response where that is a success. */
export const send = async (...sent: Parameters<typeof request>): Promise<Response> => {
  const response = await request(...sent)
  if (!response.ok) throw await refusalOf(response, sent[1][2])
  return response
}

/** The result of an answer. A list without elements is answered without a body. */
const resultOf = async (response: Response, [, , , kind, accept]: Endpoint): Promise<unknown> => {
  if (accept?.startsWith("image/") === true) return response.blob()
  const content = await response.text()
  if (content === "") return kind === "list" ? [] : undefined
  return response.headers.get("content-type")?.startsWith("application/json") === true ? JSON.parse(content) : content
}

/** One attempt of a call. An answer that breaks off is none. */
const attempt = async (client: ClientOptions, endpoint: Endpoint, input: Input, signal: AbortSignal | undefined) => {
  const response = await send(client, endpoint, input, signal)
  try {
    return await resultOf(response, endpoint)
  } catch (cause) {
    throwIfAborted(signal, cause)
    const { status } = response
    throw new RequestFailed("the answer cannot be read", { ...(cause instanceof SyntaxError && { status }), cause })
  }
}

/** After how many milliseconds to try again, if at all. What is refused for its rate was not done, whatever it is. */
const pauseAfter = (error: unknown, attempts: number, repeatable: boolean): number | undefined => {
  if (error instanceof Refused) {
    const isOver = error.status === 429 || (error.status === 503 && repeatable)
    return isOver ? (error.retryAfter === undefined ? backoff(attempts) : error.retryAfter * 1000) : undefined
  }
  return error instanceof RequestFailed && error.status === undefined && repeatable ? backoff(attempts) : undefined
}

/** A call of an endpoint, from its first attempt to its answer. */
export const call = async (
  client: ClientOptions,
  endpoint: Endpoint,
  input: Input = {},
  { signal, retries = client.retries ?? 0, timeout = client.timeout }: CallOptions = {}
): Promise<unknown> => {
  const callFrom = async (attempts: number): Promise<unknown> => {
    const limit = limitTime(signal, timeout)
    try {
      return await limit.inTime(attempt(client, endpoint, input, limit.signal))
    } catch (error) {
      const pause = attempts < retries ? pauseAfter(error, attempts, isRepeatable(endpoint[0], input)) : undefined
      if (pause === undefined) throw error
      await wait(pause, signal)
    } finally {
      limit.end()
    }
    return callFrom(attempts + 1)
  }
  return callFrom(0)
}
