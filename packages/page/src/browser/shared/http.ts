/** Requests to the server that the page came from. */
import type { AreaFaultJson } from "@sojourn/adapter-http/json"

interface Problem {
  /** Its kind, which stays as it is. */
  readonly type?: string
  /** For people, in English. */
  readonly detail?: string
  readonly areaFault?: AreaFaultJson
}

/** A request that was refused, or that did not arrive: then the status is 0. */
export class RequestFailed extends Error {
  readonly status: number
  readonly problem: Problem

  constructor(status: number, problem: Problem = {}) {
    super(`${status}`)
    this.status = status
    this.problem = problem
  }
}

interface Sent {
  readonly token?: string | undefined
  readonly method?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** A file, whose type the server needs to know. */
  readonly blob?: Blob
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** How long a request may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000

const problemOf = async (response: Response): Promise<Problem> => {
  try {
    return (await response.json()) as Problem
  } catch {
    return {}
  }
}

/** Sends a request, and answers its response where that is a success. */
export const send = async (path: string, sent: Sent): Promise<Response> => {
  const headers: Record<string, string> = {
    accept: `${sent.accept ?? "application/json"}, application/problem+json`,
    ...sent.headers
  }
  if (sent.token !== undefined) headers["authorization"] = `Bearer ${sent.token}`
  if (sent.json !== undefined) headers["content-type"] = "application/json"
  if (sent.blob !== undefined) headers["content-type"] = sent.blob.type
  const body =
    sent.json !== undefined
      ? JSON.stringify(sent.json)
      : sent.form === undefined
        ? (sent.blob ?? null)
        : new URLSearchParams(sent.form)
  let response: Response
  try {
    response = await fetch(path, {
      method: sent.method ?? (body === null ? "GET" : "POST"),
      headers,
      body,
      cache: "no-store",
      signal: sent.signal ?? AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    })
  } catch {
    throw new RequestFailed(0)
  }
  if (!response.ok) throw new RequestFailed(response.status, await problemOf(response))
  return response
}

/** The JSON of an answer; undefined where it has none, as an empty list. */
export const sendForJson = async <Json>(path: string, sent: Sent): Promise<Json | undefined> => {
  const text = await (await send(path, sent)).text().catch(() => {
    throw new RequestFailed(0)
  })
  return text === "" ? undefined : (JSON.parse(text) as Json)
}
