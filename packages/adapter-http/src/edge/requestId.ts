import type { RequestHead } from "../handlers/envelope.ts"

const WELL_FORMED = /^[\x21-\x7e]{1,128}$/

/** The client's own request id, or a UUID of ours, which platforms make from random bytes that they keep in store. */
export const requestIdOf = (request: RequestHead): string => {
  const sent = request.headers["x-request-id"]
  return sent !== undefined && WELL_FORMED.test(sent) ? sent : crypto.randomUUID()
}
