/** One request: made of an endpoint and its input, and sent with the caller's token. */
import { RequestFailed } from "./answer.ts"

export interface ClientOptions {
  /** Where the interface is, such as `https://presence.example.org`. */
  readonly baseUrl: string
  /** The bearer token, or what gives one for each request. Without one requests go without credentials. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How often a call is repeated that may be repeated without harm. 0 by default. */
  readonly retries?: number | undefined
  /** How long each attempt of a call may take, in milliseconds. Without a bound by default. */
  readonly timeout?: number | undefined
}

/** Method, path, declared refusals; whether a form or a blob is sent or a list answered; the type of the answer where it is not JSON. */
export type Endpoint = readonly [
  method: string,
  path: string,
  refusals: string,
  kind?: "form" | "blob" | "list" | "",
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
    : kind === "blob"
      ? (body as Blob)
      : JSON.stringify(body, writable)

/** The request of a call. Every parameter that the path does not name is of the query, but for the Idempotency-Key. */
const requestOf = ([method, path, , kind, accept = "application/json"]: Endpoint, input: Input) => {
  const { body, idempotencyKey, ...params } = input
  const headers: Record<string, string> = { accept: `${accept}, ${PROBLEM}` }
  if (idempotencyKey !== undefined) headers["idempotency-key"] = String(idempotencyKey)
  if (body !== undefined && kind !== "form")
    headers["content-type"] = kind === "blob" ? (body as Blob).type : "application/json"
  let url = path
  let separator = "?"
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    if (url.includes(`{${name}}`)) url = url.replace(`{${name}}`, () => text(value))
    else {
      // Each of a list is a parameter of its own, but for the list that is one text.
      for (const one of name === "organizations" ? [value] : [value].flat()) {
        url += `${separator}${name}=${text(one)}`
        separator = "&"
      }
    }
  }
  const [, missing] = /\{(\w+)\}/.exec(url) ?? []
  if (missing !== undefined) throw new TypeError(`${missing} is missing`)
  return { url, init: { method, headers, ...(body !== undefined && { body: encode(kind, body) }) } }
}

/** Throws the reason of a signal that has ended, as its `throwIfAborted` does, which React Native's lacks. */
export const throwIfAborted = (signal: AbortSignal | undefined, cause?: unknown): void => {
  if (signal?.aborted === true) throw signal.reason ?? cause
}

/** Sends one request, and answers its response, whatever its status is. */
export const request = async (
  { baseUrl, token, fetch: custom = fetch }: ClientOptions,
  endpoint: Endpoint,
  input: Input,
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {}
): Promise<Response> => {
  const { url, init } = requestOf(endpoint, input)
  const credentials = typeof token === "function" ? await token() : token
  const headers = {
    ...init.headers,
    ...more,
    ...(credentials !== undefined && { authorization: `Bearer ${credentials}` })
  }
  throwIfAborted(signal)
  try {
    return await custom(baseUrl.replace(/\/$/, "") + url, { ...init, headers, ...(signal && { signal }) })
  } catch (cause) {
    throwIfAborted(signal, cause)
    throw new RequestFailed("the server does not answer", { cause })
  }
}
