import type { RequestHead } from "./requestHead.ts"

const WELL_FORMED = /^[\x21-\x7e]{1,128}$/

/** The client's own request id, or a UUID of ours, which platforms make from random bytes that they keep in store. */
export const requestIdOf = (request: RequestHead): string => {
  const sent = request.headers["x-request-id"]
  if (sent !== undefined && WELL_FORMED.test(sent)) return sent
  const made = crypto.randomUUID()
  // V8 makes a UUID of 14 pieces, and joins them when one is read: else each collection of garbage while the request
  // waits would copy them all.
  made.charCodeAt(0)
  return made
}
