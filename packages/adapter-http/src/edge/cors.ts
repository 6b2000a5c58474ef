/** What pages of other origins may read of an answer's head, beside what every page may. */
export const EXPOSED_HEADERS = ["X-Request-Id", "Retry-After"]

/** The headers of an answer to a request with these headers that let pages of other origins read it. */
export type CorsHeaders = (headers: {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}) => Readonly<Record<string, string>>

/**
 * The CORS headers (Fetch standard) of answers that do not pass Effect's middleware, and the same as it gives: pages of these
 * origins may call. Undefined when there are none: then CORS is off.
 */
export const corsHeaders = (origins: ReadonlyArray<string>): CorsHeaders | undefined => {
  const [first] = origins
  if (first === undefined) return undefined
  const shown = { vary: "Origin", "access-control-expose-headers": EXPOSED_HEADERS.join(",") }
  const allowing = new Map(origins.map((origin) => [origin, { "access-control-allow-origin": origin, ...shown }]))
  const single = origins.length === 1 ? allowing.get(first) : undefined
  return ({ origin }) => single ?? allowing.get(String(origin)) ?? shown
}
