/** The stream between a directory's socket and ldapts, which does not bound what a server sends. */
import type { Socket } from "node:net"
import { Duplex } from "node:stream"
import { type Framer, makeFramer, TOO_LONG } from "./Framer.ts"
import { MALFORMED, read } from "./Message.ts"

/** The most that one connection may receive. */
export interface StreamLimits {
  /** In bytes. */
  readonly largestAnswer: number
  readonly mostMessages: number
  /** Attributes and values of entries. Each costs about a microsecond in ldapts, however few bytes it has. */
  readonly mostValues: number
}

/**
 * The stream that ldapts uses instead of the socket. It passes on one complete, validated message at a time, and closes at the
 * first malformed one or beyond its limits. ldapts itself does not bound what a server sends: it recurses once per message of
 * a packet, and some malformed messages it reads without end.
 *
 * It reads one chunk per iteration of the event loop; libuv would otherwise read 2 MB before other work runs.
 */
export class CheckedStream extends Duplex {
  readonly connecting = false
  readonly readyState = "open"
  /** Why the stream ended, for the operator; undefined while it is open. */
  ending: string | undefined = undefined
  /** The code of the last result, because ldapts does not report truncated searches. */
  lastCode: number | undefined = undefined

  readonly #socket: Socket
  readonly #framer: Framer
  #messagesLeft: number
  #valuesLeft: number
  /** Whether the socket was released by {@link detach}. */
  isDetached = false

  constructor(socket: Socket, limits: StreamLimits) {
    super({ readableObjectMode: true, allowHalfOpen: false })
    this.#socket = socket
    this.#framer = makeFramer(limits.largestAnswer)
    this.#messagesLeft = limits.mostMessages
    this.#valuesLeft = limits.mostValues
    socket.on("data", this.#take)
    socket.on("close", this.#closed)
    socket.on("end", this.#closed)
    // A socket that fails also closes, which is handled there.
    socket.on("error", () => {})
    this.on("error", () => {})
    socket.resume()
  }

  /** Releases the socket for TLS. Returns false when the server already sent unrequested bytes. */
  detach(): boolean {
    const isRead = this.readableLength === 0 && this.#socket.readableLength === 0
    const isClean = this.ending === undefined && !this.#framer.isInside() && isRead
    this.isDetached = true
    this.#release()
    this.#socket.pause()
    return isClean
  }

  /** Messages are passed on as they arrive: the limits bound what may wait. */
  override _read(): void {}

  /** Lets other work run before the next chunk. */
  #rest(): void {
    this.#socket.pause()
    setImmediate(() => {
      if (!this.isDetached && !this.destroyed) this.#socket.resume()
    })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk, () => done())
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    this.ending ??= "the connection was closed"
    this.#release()
    this.#socket.destroy()
    done(null)
  }

  readonly #closed = () => this.#end("the directory closed the connection")

  readonly #take = (chunk: Buffer) => {
    this.#rest()
    const messages = this.#framer.push(chunk)
    if (messages === MALFORMED) return this.#end("the directory does not speak LDAP")
    if (messages === TOO_LONG) return this.#end("the directory's answer is too large")
    for (const bytes of messages) {
      if (this.destroyed) return
      this.#look(bytes)
    }
  }

  #look(bytes: Buffer): void {
    const message = read(bytes)
    this.#messagesLeft -= 1
    if (message === MALFORMED) return this.#end("the directory does not speak LDAP")
    if (this.#messagesLeft < 0) return this.#end("the directory's answer has too many entries")
    // No request has the number 0: with it a server says that it will close the connection (RFC 4511, section 4.4).
    if (message.messageId === 0) return this.#end("the directory ends the connection")
    if (message._tag === "Ignored") return
    if (message._tag === "Result") this.lastCode = message.code
    else this.#valuesLeft -= message.values
    if (this.#valuesLeft < 0) return this.#end("the directory's entries have too many values")
    this.push(bytes)
  }

  #end(why: string): void {
    this.ending ??= why
    this.destroy()
  }

  #release(): void {
    this.#socket.off("data", this.#take)
    this.#socket.off("close", this.#closed)
    this.#socket.off("end", this.#closed)
  }
}
