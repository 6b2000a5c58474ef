/** Answers of the pipeline, from a handler's content or a refusal to the complete head. Drivers write them. */
import * as HttpBody from "effect/http/HttpBody"
import * as Schema from "effect/Schema"
import { usualProblemUri } from "../api/shared/problems.ts"
import { type Problem, PROBLEM_TYPE, type Refusal, Refusals, TITLES } from "../api/shared/refusals.ts"
import { isEncoded, type RequestHead } from "./requestHead.ts"
import type { RequestNotes } from "./requestNotes.ts"

/**
 * A body that writes its chunks as they arise. Answers that last for hours need no fiber each then, as for a `Stream`, whose fiber and
 * its parts take more memory than all else that an idle connection needs.
 */
export interface PushedBody {
  readonly _tag: "Pushed"
  readonly contentType: string
  readonly contentLength: undefined
  /** Begins to write; called once at most. */
  readonly open: (sink: BodySink) => void
  /** The sink takes more. */
  readonly drained: () => void
  /** The sink is gone: the client read everything, or has left. */
  readonly close: () => void
}

/** Where a driver writes a body that is pushed. */
export interface BodySink {
  /** Writes a chunk, whose pieces may be shared with other bodies. Where it returns false, the next one should wait for {@link PushedBody.drained}. */
  readonly write: (pieces: ReadonlyArray<Uint8Array>) => boolean
  readonly end: () => void
  /** Closes the connection, and drops what the client has not read. */
  readonly destroy: () => void
}

/** An answer before a driver writes it. */
export interface Answer {
  readonly status: number
  /** By names in lower case. `content-type` and `content-length` come from the body. */
  readonly headers: { readonly [name: string]: string }
  /** A text or bytes, a stream, chunks that are pushed, or nothing. */
  readonly body: HttpBody.Empty | HttpBody.Uint8Array | HttpBody.Stream | PushedBody
}

const NO_HEADERS = {}

/** An answer without a body. */
export const empty = (status: number, headers: Answer["headers"] = NO_HEADERS): Answer => ({
  status,
  headers,
  body: HttpBody.empty
})

/** An answer of JSON text. */
export const json = (status: number, text: string): Answer => ({
  status,
  headers: NO_HEADERS,
  body: HttpBody.text(text, "application/json")
})

/** An answer of other text. */
export const text = (body: string, contentType: string): Answer => ({
  status: 200,
  headers: NO_HEADERS,
  body: HttpBody.text(body, contentType)
})

/** An answer of bytes. */
export const bytes = (body: Uint8Array, contentType: string, headers: Answer["headers"] = NO_HEADERS): Answer => ({
  status: 200,
  headers,
  body: HttpBody.uint8Array(body, contentType)
})

const asProblem = (problem: Problem, headers: Answer["headers"] = NO_HEADERS): Answer => ({
  status: problem.status,
  headers,
  body: HttpBody.text(JSON.stringify(problem), PROBLEM_TYPE)
})

/** An RFC 9457 problem of the usual kind of its status, as an answer. */
export const problem = (status: number, detail?: string, headers?: Answer["headers"]): Answer =>
  asProblem(
    {
      type: usualProblemUri(status),
      title: (TITLES as { readonly [status: number]: string })[status] ?? "Error",
      status,
      ...(detail !== undefined && { detail })
    },
    headers
  )

const encodeRefusal = Schema.encodeSync(Schema.Union(Object.values(Refusals)))

/** A refusal as an answer. */
export const refused = (refusal: Refusal): Answer => asProblem(encodeRefusal(refusal))

/** The weight that a header such as `Accept` gives to a name, from 0 to 1; undefined where it does not name it. */
export const weightOf = (header: string, name: string): number | undefined => {
  const weights = header.split(",").flatMap((range) => {
    const [named, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (named !== name) return []
    const weight = parameters.flatMap((parameter) => /^q=([01](?:\.\d*)?)$/.exec(parameter)?.slice(1) ?? [])[0]
    return [weight === undefined ? 1 : Number(weight)]
  })
  return weights.length === 0 ? undefined : Math.max(...weights)
}

/** The weight of a media type in an `Accept` header; 0 where the header does not name it. */
export const qualityOf = (accept: string | undefined, type: string): number => weightOf(accept ?? "", type) ?? 0

/** Whether the client asks for problems. A client that takes any type, as by `*\/*`, does not. */
export const wantsProblem = (accept: string | undefined): boolean => qualityOf(accept, PROBLEM_TYPE) > 0

/** Seconds until a retry by status, where the request has no value of its own. */
const DEFAULTS: { readonly [status: number]: number } = { 429: 60, 503: 1 }

/** The `Retry-After` of an answer with this status, in whole seconds; undefined where a retry is of no use. */
export const retryAfterOf = (status: number, seconds: number | undefined): string | undefined => {
  const value = DEFAULTS[status]
  return value === undefined ? undefined : String(seconds ?? value)
}

/** The largest rest of a request's body, in bytes, that is received so that the connection can be reused. */
const MAX_REST_BYTES = 64 * 1024

/** Whether the rest of the body is too long to be received: the answer then closes the connection. */
export const hasLongRest = ({ headers, source }: RequestHead): boolean =>
  (source as { readonly complete?: unknown }).complete === false &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_REST_BYTES)

/** The headers of every answer: its request id, and that no cache stores it and no client guesses its type. */
export const commonHeaders = (requestId: string): Record<string, string> => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

/** The body of an answer to this client: an error is empty, or a problem where `Accept` names it (spec: http#problems). */
const bodyFor = (head: RequestHead, { status, body }: Answer): Answer["body"] => {
  if (status < 400) return body
  if (!wantsProblem(head.headers["accept"])) return HttpBody.empty
  return body._tag === "Uint8Array" && body.contentType === PROBLEM_TYPE ? body : problem(status).body
}

/** An answer whose headers are complete. */
export interface FinishedAnswer extends Answer {
  readonly headers: { readonly [name: string]: string }
}

/**
 * Completes an answer: its body by `Accept`, and the headers that every answer or its status needs. An empty body
 * has a `content-length` of 0, but for 204 and 304, which have none (RFC 9110, section 8.6).
 */
export const finish = (
  head: RequestHead,
  {
    requestId,
    retryAfter,
    rateLimit
  }: { readonly requestId: string } & Readonly<Pick<RequestNotes, "retryAfter" | "rateLimit">>,
  answer: Answer,
  cors: Answer["headers"] | undefined
): FinishedAnswer => {
  const { status } = answer
  const body = bodyFor(head, answer)
  const headers: Record<string, string> = {}
  if (body._tag === "Empty") {
    if (status !== 204 && status !== 304) headers["content-length"] = "0"
  } else {
    headers["content-type"] = body.contentType
    if (body.contentLength !== undefined) headers["content-length"] = String(body.contentLength)
  }
  Object.assign(headers, commonHeaders(requestId), rateLimit, cors, answer.headers)
  if (cors?.["vary"] !== undefined && answer.headers["vary"] !== undefined) {
    headers["vary"] = `${cors["vary"]}, ${answer.headers["vary"]}`
  }
  if (status >= 400) {
    if (status === 401) headers["www-authenticate"] = "Bearer"
    const seconds = retryAfterOf(status, retryAfter)
    if (seconds !== undefined) headers["retry-after"] = seconds
    // This shows that the coding was refused, and not the media type (RFC 9110, section 15.5.16).
    if (status === 415 && isEncoded(head.headers)) headers["accept-encoding"] = "identity"
  }
  if (hasLongRest(head)) headers["connection"] = "close"
  return { status, headers, body }
}
