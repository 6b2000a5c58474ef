/** Parses HTTP/1.1 answers from the bytes of a connection. */

/** The answer to one request. Head and body are Latin-1 text: one character per byte. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly head: string
}

const LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i

/** Statuses whose answers have no body, whatever their headers are. */
const isBodyless = (status: number) => status === 204 || status === 304 || status < 200

/** Decodes a chunked body, or returns undefined while it is incomplete. */
const joinChunks = (text: string): string | undefined => {
  let body = ""
  let at = 0
  for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n", at)) {
    const size = Number.parseInt(text.slice(at, end), 16)
    if (Number.isNaN(size)) throw new Error("a chunk has no size")
    const next = end + 2 + size + 2
    if (next > text.length) return undefined
    if (size === 0) return body
    body += text.slice(end + 2, end + 2 + size)
    at = next
  }
  return undefined
}

/**
 * Makes a parser of HTTP/1.1 answers, for one pending request at a time. Each call passes received bytes and returns the answer when
 * it is complete. Bodies have a Content-Length or are chunked without trailers.
 */
export const makeAnswers = (): ((arrived: Buffer) => Answer | undefined) => {
  let text = ""
  return (arrived) => {
    const latin = arrived.toString("latin1")
    text = text === "" ? latin : text + latin
    const end = text.indexOf("\r\n\r\n")
    if (end < 0) return undefined
    const head = text.slice(0, end)
    const status = Number(head.slice(9, 12))
    const rest = text.slice(end + 4)
    const body = isBodyless(status)
      ? ""
      : CHUNKED.test(head)
        ? joinChunks(rest)
        : rest.length >= Number(LENGTH.exec(head)?.[1] ?? 0)
          ? rest
          : undefined
    if (body === undefined) return undefined
    text = ""
    return { status, body, head }
  }
}
