import type { RequestHead } from "./requestHead.ts"

/** What Node tells of a request beside its headers; other platforms tell none of it, and check it themselves. */
interface NodeRequest {
  readonly httpVersion?: string
  readonly rawHeaders?: ReadonlyArray<string>
}

/** Whether a request names one host (RFC 9112, section 3.2). HTTP/1.0 may name none. */
export const namesItsHost = ({ source }: RequestHead): boolean => {
  const { httpVersion, rawHeaders } = source as NodeRequest
  if (rawHeaders === undefined) return true
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === "host") count++
  }
  return count === 1 || (count === 0 && httpVersion !== "1.1")
}
