/** The headers with which browsers let pages of other origins call (CORS, Fetch standard). */

import * as Result from "effect/Result"

/** The origin of a page in an app: a scheme of the app's own, and a host. */
const APP_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d{1,5})?$/

/** The origin that browsers send for a text that means it. */
const originIn = (text: string): string | undefined => {
  if (!URL.canParse(text) || text.includes("*")) return undefined
  const { protocol, origin, host } = new URL(text)
  if (/^(https?):$/.test(protocol)) return origin
  const own = `${protocol}//${host}`
  return /^(file|wss?|ftp):$/.test(protocol) || !APP_ORIGIN.test(own) ? undefined : own
}

/**
 * Reads an origin as browsers send it, by which it is compared: a scheme, a host and a port that is not the scheme's own. Fails with what
 * is wrong, and with the origin that was meant where that is clear.
 */
export const parseOrigin = (text: string): Result.Result<string, string> => {
  const origin = originIn(text)
  if (origin === text) return Result.succeed(text)
  const expected = `an origin is scheme://host[:port] as browsers send it, in small letters and without a path: ${text}`
  return Result.fail(origin === undefined ? expected : `${expected}; write ${origin}`)
}

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
