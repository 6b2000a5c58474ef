/** A subscriber: the client of one presence stream, the messages that wait for it, and where they are written. */
import { type Administrator, type DisplayCaller, nameOfCaller, type OrganizationId } from "@sojourn/core"
import type * as Redacted from "effect/Redacted"
import type { BodySink, PushedBody } from "../pipeline/answer.ts"
import { StreamPosition } from "./eventId.ts"
import { encoder, endMessage, type EndReason, MAX_EVENTS, type Message, PING, RETRY, STALE } from "./messages.ts"

/** How many bytes are written at once, about. */
const CHUNK_BYTES = 64 * 1024

/** How many milliseconds may pass before a stream is opened, and until a client has taken the rest of one that has ended. */
const OPEN_TIMEOUT_MS = 10_000
const END_TIMEOUT_MS = 1_000

/** The caller of a stream, and the organizations of its list. */
export interface Subscription {
  readonly caller: Administrator | DisplayCaller
  readonly credential: Redacted.Redacted<string>
  readonly organizationIds: ReadonlyArray<OrganizationId>
  /** The id to resume after, as the client sent it. */
  readonly lastEventId: string | undefined
}

/** Is called when the state of a subscriber changes. */
export interface SubscriberListener {
  /** A subscriber that is behind has taken all that was left. */
  readonly ready: (subscriber: Subscriber) => void
  /** The client takes more, or more waits for it: {@link Subscriber.flush} should be called in a later turn of the event loop. */
  readonly writable: (subscriber: Subscriber) => void
  /** The stream was read to its end or discarded, or the client has left. */
  readonly closed: (subscriber: Subscriber) => void
}

/** A subscriber that falls behind has no events waiting any more, and gets a snapshot in their place once it reads again. */
export class Subscriber implements PushedBody {
  readonly _tag = "Pushed"
  readonly contentType = "text/event-stream"
  readonly contentLength = undefined
  /** Without the id to resume after, which may have 32 KiB. */
  readonly subscription: Omit<Subscription, "lastEventId">
  /** The caller as what counts of callers are kept by. */
  readonly callerName: string
  /** The position after the last message that was taken; at first that of the id to resume after. */
  readonly position: StreamPosition
  /** Whether no stream has written the id to resume after. */
  readonly isIdUnknown: boolean
  /** When the stream rotates, or is discarded where it is not open or has ended, by `performance.now`. */
  endsAt = performance.now() + OPEN_TIMEOUT_MS
  /** Whether the last message was added. */
  isEnded = false
  /** Whether events were left out, and no snapshot was asked for in their place yet. */
  isBehind = false
  /** Whether the last message says that the storage is away. */
  isStale = false
  private waiting: Array<Message> = []
  /** The rest of a message whose beginning was taken. */
  private rest: ReadonlyArray<Uint8Array> = [RETRY]
  private sink: BodySink | undefined = undefined
  private isWritable = false
  private sentAt = performance.now()
  private readonly lifetime: number
  private readonly listener: SubscriberListener

  /** @param lifetime the time from opening the stream until it rotates, in milliseconds. */
  constructor({ lastEventId, ...subscription }: Subscription, lifetime: number, listener: SubscriberListener) {
    this.subscription = subscription
    this.callerName = nameOfCaller(subscription.caller)
    this.lifetime = lifetime
    this.listener = listener
    const position = StreamPosition.parse(lastEventId, subscription.organizationIds)
    this.isIdUnknown = position === undefined
    this.position = position ?? new StreamPosition()
  }

  get isOpen(): boolean {
    return this.sink !== undefined
  }

  /** Adds a message, and has it written in a later turn of the event loop. `stale` is added once until the next message. */
  add(message: Message): void {
    if (this.isEnded || (message === STALE && this.isStale)) return
    this.isStale = message === STALE
    this.waiting.push(message)
    if (this.isWritable) this.listener.writable(this)
  }

  /** Adds an event. Above the bound the subscriber is behind from then on. */
  addEvent(event: Message): void {
    if (this.isBehind) return
    const isEvent = ({ kind }: Message) => kind === "event"
    this.isBehind = this.waiting.length >= MAX_EVENTS && this.waiting.filter(isEvent).length >= MAX_EVENTS
    if (this.isBehind) this.leaveOut(() => true)
    else this.add(event)
  }

  /** Leaves out what waits of these organizations and a snapshot makes up for. */
  leaveOut(isOf: (organizationId: OrganizationId) => boolean): void {
    this.waiting = this.waiting.filter(
      ({ kind, positions }) => kind === "control" || !positions.some(([id]) => isOf(id))
    )
  }

  /** Takes back a `stale` that still waits. Returns whether a message has to follow one that was taken, unless a snapshot follows anyway. */
  recover(): boolean {
    if (this.isStale && this.waiting.length > 0) {
      this.waiting.pop()
      this.isStale = false
    }
    return this.isStale && !this.isBehind
  }

  end(reason: EndReason): void {
    this.add(endMessage(reason))
    this.isEnded = true
    this.endsAt = performance.now() + END_TIMEOUT_MS
    this.flush()
  }

  /** Closes the stream without its last messages. */
  discard(): void {
    const { sink } = this
    this.close()
    sink?.destroy()
  }

  /** Writes a comment where nothing was written for this long, in milliseconds. */
  ping(after: number): void {
    if (this.isWritable && this.isEmpty && performance.now() - this.sentAt >= after) this.write([PING])
  }

  open(sink: BodySink): void {
    if (!this.isEnded) this.endsAt = performance.now() + this.lifetime
    this.sink = sink
    this.isWritable = true
    this.flush()
  }

  drained(): void {
    this.isWritable = this.isOpen
    // At once where it is the end, as the server may be closing. Otherwise a quick client would keep the event loop busy.
    if (this.isEnded) this.flush()
    else if (this.isWritable) this.listener.writable(this)
  }

  close(): void {
    this.sink = undefined
    this.isWritable = false
    this.listener.closed(this)
  }

  /** Writes a part of what waits, if the client takes it, and ends after the last message. */
  flush(): void {
    if (this.isWritable && !this.isEmpty) this.write(this.take())
    if (!this.isWritable) return
    if (!this.isEmpty) this.drained()
    else if (this.isEnded) {
      const { sink } = this
      this.close()
      sink!.end()
    } else if (this.isBehind) this.listener.ready(this)
  }

  private get isEmpty(): boolean {
    return this.rest.length === 0 && this.waiting.length === 0
  }

  private write(chunk: ReadonlyArray<Uint8Array>): void {
    this.sentAt = performance.now()
    // The sink may call `drained` before it returns.
    this.isWritable = false
    if (this.sink!.write(chunk)) this.isWritable = this.isOpen
  }

  /** Takes about {@link CHUNK_BYTES} of what waits. */
  private take(): ReadonlyArray<Uint8Array> {
    const chunk: Array<Uint8Array> = []
    // One buffer for the texts of many messages: thousands of small ones would keep the collector busy.
    let text = ""
    let size = 0
    let taken = 0
    while (size < CHUNK_BYTES) {
      const piece = this.rest[0]
      const message = this.waiting[taken]
      if (piece !== undefined) {
        if (text !== "") chunk.push(encoder.encode(text))
        text = ""
        chunk.push(piece)
        size += piece.length
        this.rest = this.rest.slice(1)
      } else if (message !== undefined) {
        const begin = `id: ${this.position.advance(message.positions)}\n${message.text}`
        text += begin
        size += begin.length
        this.rest = message.pieces
        taken++
      } else break
    }
    if (text !== "") chunk.push(encoder.encode(text))
    this.waiting = this.waiting.slice(taken)
    return chunk
  }
}
