/** A connection with its open requests, and the bound on how long its client may leave an answer unread. */
import type { Socket } from "node:net"
import type { PermittedRequest, PermittedResponse, Phase, RequestPermit } from "./RequestPermit.ts"

/** How long a client may take to read an answer, in milliseconds. */
const READ_TIMEOUT = 60_000

/**
 * How long the client of a stream may read nothing, in milliseconds. Little waits for it meanwhile, and it catches up by a snapshot; a
 * client that is gone without a word should not count as a subscriber for long.
 */
const STREAM_READ_TIMEOUT = 300_000

/** How many bytes of an answer that is written in parts a client reads in this time at least. */
const LEAST_READ = 64 * 1024

/** Whether a client that has read so many bytes more gets more time. Reading a little gives none for a whole answer, or for a part of one. */
const hasRead = (phase: Phase | undefined, bytes: number): boolean =>
  phase === "answering" ? bytes >= LEAST_READ : phase !== "answered" && bytes > 0

/** A request that was sent ahead: it waits until the client has read the answers to those before it. */
export interface SentAhead {
  readonly request: PermittedRequest
  readonly response: PermittedResponse
  readonly permit: RequestPermit
  readonly expectsContinue: boolean
}

export class Connection {
  readonly socket: Socket
  /** The requests that wait, in their order. */
  readonly sentAhead: Array<SentAhead> = []
  /** Ends the connection once all requests are answered, where what follows them cannot be parsed. */
  endAfterAnswers: (() => void) | undefined = undefined
  /** The permits of the admitted requests whose responses are not closed, in the order of the requests and so of the answers. */
  readonly permits: Array<RequestPermit> = []
  /** What the client had left unread at the last check, how much it had read before, and since when that was so. */
  private unread:
    | { readonly oldest: RequestPermit | undefined; readonly read: number; readonly since: number }
    | undefined

  constructor(socket: Socket) {
    this.socket = socket
  }

  release(permit: RequestPermit): void {
    permit.release()
    this.permits.splice(this.permits.indexOf(permit), 1)
  }

  /** Closes the connection if its client does not read. To be called every few seconds, with `performance.now`. */
  closeIfUnread(now: number): void {
    const [oldest] = this.permits
    const { bytesWritten, writableLength } = this.socket
    const read = bytesWritten - writableLength
    if (writableLength === 0) this.unread = undefined
    else if (oldest !== this.unread?.oldest || hasRead(oldest?.phase, read - this.unread!.read)) {
      this.unread = { oldest, read, since: now }
    } else {
      const timeout = oldest?.phase === "streaming" ? STREAM_READ_TIMEOUT : READ_TIMEOUT
      if (now - this.unread!.since > timeout) this.socket.destroy()
    }
  }
}
