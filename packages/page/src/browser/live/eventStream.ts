/** A parser of server-sent events: `EventSource` cannot send an `Authorization` header. */

/** A message of server-sent events. */
export interface ServerSentEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

const parse = (block: string): ServerSentEvent | undefined => {
  let event = "message"
  let id: string | undefined
  const data: Array<string> = []
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":")
    // A line that begins with a colon is a comment.
    if (colon === 0) continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "event") event = value
    else if (field === "id") id = value
    else if (field === "data") data.push(value)
  }
  return data.length === 0 ? undefined : { event, id, data: data.join("\n") }
}

/**
 * Makes a parser of server-sent events that is given the text in pieces as they arrive, and answers the messages that are complete
 * with each. Lines end with LF or CRLF.
 */
export const makeEventParser = (): ((piece: string) => ReadonlyArray<ServerSentEvent>) => {
  let rest = ""
  return (piece) => {
    const text = rest + piece
    // A CR at the end of a piece may be the half of a CRLF.
    const whole = text.endsWith("\r") ? text.length - 1 : text.length
    const blocks = text.slice(0, whole).replaceAll("\r\n", "\n").split("\n\n")
    rest = blocks.pop()! + text.slice(whole)
    return blocks.flatMap((block) => parse(block) ?? [])
  }
}
