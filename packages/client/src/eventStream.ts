/** Server-sent events, as section 9.2 of the HTML standard reads them. `EventSource` cannot send an `Authorization` header. */

/** A message of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly event: string
  /** The last id of the stream so far; empty before the first one. */
  readonly id: string
  readonly data: string
}

/**
 * Makes a parser of one response. It takes the bytes in pieces, as they arrive, and returns the messages that each piece
 * completes. `retry` is ignored: callers choose their own delays.
 */
export const makeEventParser = (): ((piece: Uint8Array) => ReadonlyArray<ServerSentEvent>) => {
  const decoder = new TextDecoder()
  let line = ""
  let isAfterReturn = false
  let event = ""
  let id = ""
  let data: Array<string> = []

  const readField = (text: string) => {
    const [, name, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(text)!
    if (name === "event") event = value!
    else if (name === "data") data.push(value!)
    else if (name === "id" && !value!.includes("\0")) id = value!
  }

  return (piece) => {
    const text = decoder.decode(piece, { stream: true })
    if (text === "") return []
    // A piece may end between the two characters of a CRLF.
    const lines = (line + (isAfterReturn && text.startsWith("\n") ? text.slice(1) : text)).split(/\r\n|\r|\n/)
    isAfterReturn = text.endsWith("\r")
    line = lines.pop()!
    const messages: Array<ServerSentEvent> = []
    for (const complete of lines) {
      if (complete !== "") readField(complete)
      else {
        if (data.length > 0) messages.push({ event: event === "" ? "message" : event, id, data: data.join("\n") })
        event = ""
        data = []
      }
    }
    return messages
  }
}
