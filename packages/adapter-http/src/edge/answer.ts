import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { PROBLEM_TYPE, type Problem, TITLES } from "../api/refusals.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import { retryAfterOf } from "../handlers/retryAfter.ts"
import type { Plain } from "../handlers/shortcut.ts"

/** An RFC 9457 problem as an answer. */
export const problem = (status: number, detail?: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    {
      type: "about:blank",
      title: (TITLES as { readonly [status: number]: string })[status] ?? "Error",
      status,
      ...(detail !== undefined && { detail })
    } satisfies Problem,
    { status, contentType: PROBLEM_TYPE }
  )

/** Does the client ask for problems? Whoever takes any type, as by `*\/*`, asked for none. */
export const wantsProblem = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

const KEPT = ["allow", "connection", "retry-after", "vary"]

/** An error answers with an empty body, unless the client asked for problems (contract, section 3). */
const withoutBody = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const headers: Record<string, string> = { "content-length": "0" }
  for (const name of Object.keys(response.headers)) {
    const value = response.headers[name]
    if (value !== undefined && (KEPT.includes(name) || name.startsWith("access-control-"))) headers[name] = value
  }
  return HttpServerResponse.empty({ status: response.status, headers })
}

const refusal = (request: RequestHead, response: HttpServerResponse.HttpServerResponse) => {
  if (!wantsProblem(request.headers["accept"])) return withoutBody(response)
  if (response.headers["content-type"]?.startsWith(PROBLEM_TYPE)) return response
  return HttpServerResponse.setHeaders(problem(response.status), withoutBody(response).headers).pipe(
    HttpServerResponse.removeHeader("content-length")
  )
}

/** How much of a body may still be on its way, in bytes, for the connection to be of further use. */
const LARGEST_REST = 64 * 1024

/** Is more of the body coming than is worth waiting for? Then the answer says that the connection ends with it. */
export const hasMoreToCome = ({ headers, source }: RequestHead): boolean =>
  (source as { readonly complete?: unknown }).complete === false &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > LARGEST_REST)

/** What every answer carries: its request id, and that no cache keeps it and nobody guesses its type. */
export const marks = (requestId: string): Record<string, string> => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

/** The same, and what the status asks for. */
const marksOf = (request: RequestHead, requestId: string, response: HttpServerResponse.HttpServerResponse) => {
  const headers = marks(requestId)
  if (response.status === 401) headers["www-authenticate"] = "Bearer"
  if (hasMoreToCome(request)) headers["connection"] = "close"
  const later = retryAfterOf(request, response.status)
  if (later !== undefined) headers["retry-after"] = later
  return headers
}

/** The answer as the client asked for it, without its marks: an error is empty or a problem. */
const asAsked = (request: RequestHead, response: HttpServerResponse.HttpServerResponse) =>
  response.status >= 400 ? refusal(request, response) : response

/** The answer as it leaves: with its marks, and an error as the client asked for it. */
export const finish = (
  request: RequestHead,
  requestId: string,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(asAsked(request, response), marksOf(request, requestId, response))

/** An answer taken apart, for who writes it without Effect's machinery. */
export interface Finished {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: HttpServerResponse.HttpServerResponse["body"]
}

/** The same for who writes the answer at once: one copy of the headers instead of several. */
export const finished = (
  request: RequestHead,
  requestId: string,
  response: HttpServerResponse.HttpServerResponse
): Finished => {
  const { status, headers, body } = asAsked(request, response)
  return { status, headers: { ...headers, ...marksOf(request, requestId, response) }, body }
}

/** A plain answer to a request that came as a whole, with the same headers in the same order. */
export const finishedPlain = (requestId: string, { status, json }: Plain): Finished => ({
  status,
  headers: {
    "content-type": json.contentType,
    "content-length": String(json.contentLength),
    ...marks(requestId)
  },
  body: json
})
