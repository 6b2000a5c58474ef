import type { Socket } from "node:net"
import { Duplex } from "node:stream"
import { MALFORMED } from "./Ber.ts"
import { type Framer, makeFramer, TOO_LONG } from "./Framer.ts"
import { read } from "./Message.ts"

/** How much one connection may answer, over all answers. */
export interface WireLimits {
  /** In bytes. */
  readonly largestAnswer: number
  readonly mostMessages: number
  /** Attributes and values of entries. Each costs about a microsecond in ldapts, however few bytes it has. */
  readonly mostValues: number
}

/**
 * What ldapts reads and writes in the place of a socket. It hands over one whole, checked message at a time and closes at
 * the first that is not LDAP, or when the server says too much. ldapts itself bounds nothing that a server sends: it calls
 * itself once per message of a packet, until the stack is full, and reads beyond the end of what is malformed.
 *
 * One chunk of the socket is read in one turn of the event loop: libuv would read 2 MB before anything else has its turn.
 */
export class Wire extends Duplex {
  readonly connecting = false
  readonly readyState = "open"
  /** Why there are no more answers, in words for the operator; undefined while there may be some. */
  ending: string | undefined = undefined
  /** The code of the last result: ldapts does not tell whether a search was cut short. */
  lastCode: number | undefined = undefined

  readonly #socket: Socket
  readonly #framer: Framer
  #messagesLeft: number
  #valuesLeft: number
  /** Does ldapts take more? And has this turn of the event loop read its chunk? */
  #isWanted = true
  #isResting = false
  /** Is the socket somebody else's by now? */
  isDetached = false

  constructor(socket: Socket, limits: WireLimits) {
    super({ readableObjectMode: true, allowHalfOpen: false })
    this.#socket = socket
    this.#framer = makeFramer(limits.largestAnswer)
    this.#messagesLeft = limits.mostMessages
    this.#valuesLeft = limits.mostValues
    socket.on("data", this.#take)
    socket.on("close", this.#closed)
    socket.on("end", this.#closed)
    // A socket that fails closes as well, and that is when we look.
    socket.on("error", () => {})
    this.on("error", () => {})
  }

  /** Leaves the socket to somebody else. False when the server already said more than it was asked. */
  detach(): boolean {
    const isRead = this.readableLength === 0 && this.#socket.readableLength === 0
    const isClean = this.ending === undefined && !this.#framer.isInside() && isRead
    this.isDetached = true
    this.#release()
    this.#socket.pause()
    return isClean
  }

  override _read(): void {
    this.#isWanted = true
    this.#resume()
  }

  #resume(): void {
    if (this.#isWanted && !this.#isResting && !this.isDetached && !this.destroyed) this.#socket.resume()
  }

  #rest(): void {
    this.#isResting = true
    this.#socket.pause()
    setImmediate(() => {
      this.#isResting = false
      this.#resume()
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
    if (!this.push(bytes)) this.#isWanted = false
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
