/** The headers with which browsers let pages of other origins call (CORS, Fetch standard). */

/** Header fields of an answer that pages of other origins may read, beside those that every page may. */
const EXPOSED_HEADERS = "Date,X-Request-Id,Retry-After,RateLimit,RateLimit-Policy"

const METHODS = "GET, HEAD, PUT, PATCH, POST, DELETE"

type RequestHeaders = { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/** The headers of an answer to a request with these headers that let pages of other origins read it. */
export type CorsHeaders = (headers: RequestHeaders) => Readonly<Record<string, string>>

/**
 * The CORS headers (Fetch standard) of answers: pages of these origins may call. Undefined when there are none: CORS is off.
 */
export const corsHeaders = (origins: ReadonlyArray<string>): CorsHeaders | undefined => {
  const [first] = origins
  if (first === undefined) return undefined
  const exposed = { vary: "Origin", "access-control-expose-headers": EXPOSED_HEADERS }
  const allowing = new Map(origins.map((origin) => [origin, { "access-control-allow-origin": origin, ...exposed }]))
  const single = origins.length === 1 ? allowing.get(first) : undefined
  return ({ origin }) => single ?? allowing.get(String(origin)) ?? exposed
}

/** The headers of the answer to a preflight request, beside those of {@link corsHeaders}. */
export const preflightHeaders = (headers: RequestHeaders): Readonly<Record<string, string>> => {
  const requested = headers["access-control-request-headers"]
  return {
    vary: requested === undefined ? "Origin" : "Origin, Access-Control-Request-Headers",
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": String(requested ?? "")
  }
}
