/** Refuses headers that a proxy in front of the server may have read differently. */
import type { RequestHead } from "./requestHead.ts"

/** What Node adds to a request beside its headers. Other platforms add none of it, and check it themselves. */
interface NodeRequest {
  readonly httpVersion?: string
  readonly rawHeaders?: ReadonlyArray<string>
}

const HOSTS = "A request names one host (RFC 9112, section 3.2)."
const MEDIA_TYPES = "A request has one Content-Type header at most."
const CODINGS = "A request body has no other transfer coding than chunked."
const AUTHORIZATIONS = "A request has one Authorization header at most."

/**
 * Finds a header whose number of lines makes the request malformed: one `Host` (RFC 9112, section 3.2; HTTP/1.0 may name none),
 * and at most one `Authorization` and one `Content-Type`. Node keeps the first of several and drops the others, while a proxy in
 * front may have decided by another one. Nor does Node undo other transfer codings than `chunked` (RFC 9112, section 6.1).
 */
export const fieldLineFault = ({ headers, source }: RequestHead): string | undefined => {
  const { httpVersion, rawHeaders } = source as NodeRequest
  if (rawHeaders === undefined) return undefined
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return CODINGS
  let hosts = 0
  let authorizations = 0
  let mediaTypes = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4) {
      if (name.toLowerCase() === "host") hosts++
    } else if (name.length === 12) {
      if (name.toLowerCase() === "content-type") mediaTypes++
    } else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) return HOSTS
  if (mediaTypes > 1) return MEDIA_TYPES
  return authorizations > 1 ? AUTHORIZATIONS : undefined
}
