/** A connection with its open requests, and the bound on how long its client may leave an answer unread. */
import type { Socket } from "node:net"
import type { RequestPermit } from "./RequestPermit.ts"

/** How long a client may take to read an answer, in milliseconds. */
const READ_TIMEOUT = 60_000

/**
 * How long the client of a stream may read nothing, in milliseconds. Little waits for it meanwhile, and it catches up by a snapshot; a
 * client that is gone without a word should not count as a subscriber for long.
 */
const STREAM_READ_TIMEOUT = 300_000

export class Connection {
  readonly socket: Socket
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
    // Reading a little gives no more time for a whole answer.
    else if (oldest !== this.unread?.oldest || (oldest?.phase !== "answered" && read !== this.unread?.read)) {
      this.unread = { oldest, read, since: now }
    } else {
      const timeout = oldest?.phase === "streaming" ? STREAM_READ_TIMEOUT : READ_TIMEOUT
      if (now - this.unread!.since > timeout) this.socket.destroy()
    }
  }
}
