/** One request: sent with the caller's token, repeated where that is wanted and harmless, and its answer read. */
import { Refused, RequestFailed } from "./answer.ts"

export interface ClientOptions {
  /** Where the interface is, such as `https://presence.example.org`. */
  readonly baseUrl: string
  /** The bearer token, or what gives one for each request. Without one requests go without credentials. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How often a call is repeated that may be repeated without harm. 0 by default. */
  readonly retries?: number | undefined
}

export interface CallOptions {
  /** Ends the call: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** In the place of the client's own. */
  readonly retries?: number | undefined
}

/** Method, path, declared refusals; whether a form or an image is sent or a list answered; the type of the answer where it is not JSON. */
export type Endpoint = readonly [
  method: string,
  path: string,
  refusals: string,
  kind?: "form" | "image" | "list" | "",
  accept?: string
]

/** The input of a call: parameters by their names, and the body. */
export type Input = Readonly<Record<string, unknown>>

const PROBLEM = "application/problem+json"

const text = (value: unknown): string =>
  Array.isArray(value) ? value.map(encodeURIComponent).join(",") : encodeURIComponent(String(value))

/** What JSON would write as `null`, which the server takes as left out, is refused. */
function writable(this: unknown, name: string, value: unknown): unknown {
  const given = (this as Readonly<Record<string, unknown>>)[name]
  const isLost = typeof value === "number" ? !Number.isFinite(value) : value === null && given !== null
  if (isLost || typeof value === "bigint") throw new TypeError(`${name}: JSON has no ${typeof value} ${String(given)}`)
  return value
}

const encode = (kind: Endpoint[3], body: unknown) =>
  kind === "form"
    ? new URLSearchParams(body as Record<string, string>)
    : kind === "image"
      ? (body as Blob)
      : JSON.stringify(body, writable)

/** The request of a call. Every parameter that the path does not name is of the query, but for the Idempotency-Key. */
const requestOf = ([method, path, , kind, accept = "application/json"]: Endpoint, input: Input) => {
  const { body, idempotencyKey, ...params } = input
  const headers: Record<string, string> = { accept: `${accept}, ${PROBLEM}` }
  if (idempotencyKey !== undefined) headers["idempotency-key"] = String(idempotencyKey)
  if (body !== undefined && kind !== "form")
    headers["content-type"] = kind === "image" ? (body as Blob).type : "application/json"
  let url = path
  let separator = "?"
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    if (url.includes(`{${name}}`)) url = url.replace(`{${name}}`, () => text(value))
    else {
      url += `${separator}${name}=${text(value)}`
      separator = "&"
    }
  }
  const [, missing] = /\{(\w+)\}/.exec(url) ?? []
  if (missing !== undefined) throw new TypeError(`${missing} is missing`)
  return { url, init: { method, headers, body: body === undefined ? null : encode(kind, body) } }
}

/** Whether the server does the same when it gets the request again: then it may have got it before. */
const isRepeatable = (method: string, { body, idempotencyKey }: Input): boolean => {
  const { movementType } = (body ?? {}) as { readonly movementType?: unknown }
  return method !== "POST" || idempotencyKey !== undefined || movementType === "exit" || movementType === -1
}

/** Waits, unless the signal ends it. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener("abort", abort, { once: true })
  })

/** The bounds of the delay before another attempt, in milliseconds. */
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 30_000

/** How long to wait before an attempt, in milliseconds: twice as long each time, spread, at most {@link MAX_DELAY_MS}. */
export const backoff = (attempt: number, firstDelayMs = FIRST_DELAY_MS): number =>
  Math.min(firstDelayMs * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2)

const refusalOf = async (response: Response, declared: string): Promise<Refused | RequestFailed> => {
  const { status, headers } = response
  const problem = (await response.json().catch(() => undefined)) as
    | { readonly type?: string; readonly detail?: string }
    | undefined
  if (!declared.split(" ").includes(String(status))) return new RequestFailed(`unexpected status ${status}`, { status })
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10)
  return new Refused(status, {
    type: problem?.type,
    detail: problem?.detail,
    retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    requestId: headers.get("x-request-id") ?? undefined
  })
}

/** Sends one request, and answers its response where that is a success. */
export const send = async (
  { baseUrl, token, fetch: custom = fetch }: ClientOptions,
  endpoint: Endpoint,
  input: Input,
  signal: AbortSignal | undefined,
  more: Readonly<Record<string, string>> = {}
): Promise<Response> => {
  const { url, init } = requestOf(endpoint, input)
  const credentials = typeof token === "function" ? await token() : token
  const headers = {
    ...init.headers,
    ...more,
    ...(credentials !== undefined && { authorization: `Bearer ${credentials}` })
  }
  signal?.throwIfAborted()
  let response: Response
  try {
    response = await custom(baseUrl.replace(/\/$/, "") + url, { ...init, headers, signal: signal ?? null })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new RequestFailed("the server does not answer", { cause })
  }
  if (!response.ok) throw await refusalOf(response, endpoint[2])
  return response
}

/** The result of an answer. A list without elements is answered without a body. */
const resultOf = async (response: Response, [, , , kind, accept]: Endpoint): Promise<unknown> => {
  try {
    if (accept?.startsWith("image/") === true) return await response.blob()
    const content = await response.text()
    if (content === "") return kind === "list" ? [] : undefined
    return response.headers.get("content-type")?.startsWith("application/json") === true ? JSON.parse(content) : content
  } catch (cause) {
    throw new RequestFailed("the answer cannot be read", { status: response.status, cause })
  }
}

/** After how many milliseconds to try again, if at all. A request that was refused for its rate was not executed. */
const pauseAfter = (error: unknown, attempt: number, repeatable: boolean): number | undefined => {
  if (error instanceof Refused) {
    const isOver = error.status === 429 || (error.status === 503 && repeatable)
    return isOver ? (error.retryAfter === undefined ? backoff(attempt) : error.retryAfter * 1000) : undefined
  }
  return error instanceof RequestFailed && error.status === undefined && repeatable ? backoff(attempt) : undefined
}

/** A call of an endpoint, from its first attempt to its answer. */
export const call = async (
  client: ClientOptions,
  endpoint: Endpoint,
  input: Input = {},
  { signal, retries = client.retries ?? 0 }: CallOptions = {}
): Promise<unknown> => {
  const callFrom = async (attempt: number): Promise<unknown> => {
    try {
      return await resultOf(await send(client, endpoint, input, signal), endpoint)
    } catch (error) {
      const pause = attempt < retries ? pauseAfter(error, attempt, isRepeatable(endpoint[0], input)) : undefined
      if (pause === undefined) throw error
      await wait(pause, signal)
      return callFrom(attempt + 1)
    }
  }
  return callFrom(0)
}
