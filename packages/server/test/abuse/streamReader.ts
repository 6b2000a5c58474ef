/** A client of `GET /presence/stream` that counts what arrives, and keeps none of it. */
import http from "node:http"

/** What a client asks for, and how it reads. */
export interface Reading {
  readonly baseUrl: string
  readonly token: string
  readonly organizationIds: ReadonlyArray<number>
  readonly lastEventId?: string | undefined
  /** Reads nothing of the body. */
  readonly isSilent?: boolean
}

/** A requested stream. */
export interface Reader {
  /** The status; 0 without an answer. */
  readonly status: Promise<number>
  /** Resolves with the milliseconds from the request until the first message was complete; with `undefined` when the stream closed before. */
  readonly first: Promise<number | undefined>
  /** Resolves once this many messages arrived, or the stream closed. */
  readonly messages: (count: number) => Promise<void>
  /** The id of the latest message. */
  readonly lastId: () => string
  /** The reason of `end`, once the stream is closed. */
  readonly ended: Promise<string | undefined>
  readonly close: () => void
}

const BLANK_LINE = "\n\n"
const textIn = (block: Buffer, pattern: RegExp) => pattern.exec(block.toString("latin1"))?.[1]

/** Opens a stream. */
export const openReader = ({ baseUrl, token, organizationIds, lastEventId, isSilent = false }: Reading): Reader => {
  const began = performance.now()
  const { hostname, port } = new URL(baseUrl)
  const status = Promise.withResolvers<number>()
  const first = Promise.withResolvers<number | undefined>()
  const ended = Promise.withResolvers<string | undefined>()
  let count = 0
  let lastId = ""
  let reason: string | undefined
  let waiting: { readonly count: number; readonly arrived: () => void } | undefined

  /** The first bytes of the message that is arriving, which name its id and type. */
  let head = Buffer.alloc(0)
  const receive = (chunk: Buffer) => {
    let from = 0
    for (;;) {
      // A blank line may begin in the chunk before.
      const isSplit = from === 0 && head.at(-1) === 10 && chunk[0] === 10
      const at = isSplit ? 0 : chunk.indexOf(BLANK_LINE, from)
      const until = at < 0 ? chunk.length : at
      if (head.length < 1_000) head = Buffer.concat([head, chunk.subarray(from, Math.min(until, from + 1_000))])
      else if (at < 0) head = Buffer.concat([head.subarray(0, 1_000), chunk.subarray(-1)])
      if (at < 0) return
      complete(head)
      head = Buffer.alloc(0)
      from = at + (isSplit ? 1 : 2)
    }
  }
  const complete = (message: Buffer) => {
    const id = textIn(message, /^id: (.*)$/m)
    if (id === undefined) return
    lastId = id
    count++
    if (count === 1) first.resolve(performance.now() - began)
    reason = textIn(message, /^event: end\ndata: \{"reason":"(\w+)"/m)
    if (waiting !== undefined && count >= waiting.count) waiting.arrived()
  }

  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId !== undefined && { "last-event-id": lastEventId })
  }
  const path = `/presence/stream?organizations=${organizationIds.join(",")}`
  const request = http.request({ hostname, port, path, headers, agent: false }, (response) => {
    status.resolve(response.statusCode!)
    if (isSilent) response.pause()
    else response.on("data", receive)
    response.on("error", () => {})
  })
  request.on("error", () => {})
  request.on("close", () => {
    status.resolve(0)
    first.resolve(undefined)
    ended.resolve(reason)
    waiting?.arrived()
  })
  request.end()
  return {
    status: status.promise,
    first: first.promise,
    messages: (wanted) =>
      count >= wanted
        ? Promise.resolve()
        : new Promise((arrived) => {
            waiting = { count: wanted, arrived }
          }),
    lastId: () => lastId,
    ended: ended.promise,
    close: () => request.destroy()
  }
}
