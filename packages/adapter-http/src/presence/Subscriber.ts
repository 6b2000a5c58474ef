/**
 * A reader of a stream, and the messages that wait for it. They are bounded: a reader that falls behind has no events waiting any
 * more, and gets a snapshot once it reads again.
 */
import type { AdministratorId, FeedVersion, OrganizationId } from "@sojourn/core"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { BodySink, PushedBody } from "../pipeline/PushedBody.ts"
import { type EventId, formatEventId, parseEventId } from "./eventId.ts"
import {
  type EncodedEvent,
  endMessage,
  type EndReason,
  type Message,
  PING,
  RETRY,
  STALE,
  textWithId
} from "./messages.ts"

/** How many events, and bytes of them, may wait for a reader. */
const MAX_EVENTS = 1_000
const MAX_BYTES = 256 * 1024

/** How many bytes are written at once, about. */
const CHUNK_BYTES = 64 * 1024

const encoder = new TextEncoder()

/** Who reads a stream, and of what. */
export interface Subscription {
  readonly administratorId: AdministratorId
  readonly credential: Redacted.Redacted<string>
  readonly organizationIds: ReadonlyArray<OrganizationId>
  /** The id to resume from, as the client sent it. */
  readonly lastEventId: string | undefined
}

/** What counts a subscriber. */
export interface SubscriberOwner {
  /** A reader that is behind reads again. */
  readonly ready: (subscriber: Subscriber) => void
  /** The reader takes more, and more waits for it: it should be flushed in its turn. */
  readonly writable: (subscriber: Subscriber) => void
  /** The stream was read to its end, or its reader has left. */
  readonly closed: (subscriber: Subscriber) => void
}

export class Subscriber implements PushedBody {
  readonly subscription: Omit<Subscription, "lastEventId">
  /** Whether the client sent an id to resume from. The id itself, of up to 32 KiB, is not kept. */
  readonly resumes: boolean
  /** What the id to resume from stands for; none without one, and where it was not written by {@link formatEventId}. */
  readonly resumed: EventId | undefined
  /** The organizations that are on the stream. */
  readonly organizationIds = new Set<OrganizationId>()
  readonly begun = performance.now()
  /** When the stream rotates, by `performance.now`. */
  readonly endsAt: number
  /** The position of each organization that the reader knows: what the ids of its messages stand for. */
  private readonly positions = new Map<OrganizationId, FeedVersion>()
  /** Empty before it is known where the stream begins. */
  private generation = ""
  private waiting: Array<Message> = []
  /** The rest of a message whose beginning was written. */
  private rest: ReadonlyArray<Uint8Array> = []
  private events = 0
  private bytes = 0
  private sink: BodySink | undefined = undefined
  private isWritable = false
  private sentAt = performance.now()
  private isOpened = false
  private stale = false
  private behind = false
  private endedAt: number | undefined = undefined
  private read = false
  private readonly owner: SubscriberOwner

  constructor({ lastEventId, ...subscription }: Subscription, endsAt: number, owner: SubscriberOwner) {
    this.subscription = subscription
    this.resumes = lastEventId !== undefined
    this.resumed =
      lastEventId === undefined
        ? undefined
        : Option.getOrUndefined(parseEventId(lastEventId, subscription.organizationIds))
    // A stream may end before it begins, as while the server drains: the client shall go on where it was.
    if (this.resumed !== undefined) this.begin(this.resumed)
    this.endsAt = endsAt
    this.owner = owner
  }

  get _tag() {
    return "Pushed" as const
  }

  get contentType() {
    return "text/event-stream"
  }

  get contentLength() {
    return undefined
  }

  /** Whether events were left out, and no snapshot made up for them yet. */
  get isBehind(): boolean {
    return this.behind
  }

  /** Whether the last message says that the storage is away. */
  get isStale(): boolean {
    return this.stale
  }

  /** Whether the stream was ever read. */
  get isRead(): boolean {
    return this.read
  }

  /** Whether the last message was added. */
  get isEnded(): boolean {
    return this.endedAt !== undefined
  }

  /** Whether the last message was added so many milliseconds ago. */
  isEndedFor(milliseconds: number): boolean {
    return this.endedAt !== undefined && performance.now() - this.endedAt >= milliseconds
  }

  /** Whether the reader takes something that waits for it. */
  get hasOutput(): boolean {
    return this.isWritable && (this.rest.length > 0 || this.waiting.length > 0 || this.isEnded)
  }

  /** Sets what the ids of the next messages stand for. */
  begin({ generation, versions }: EventId): void {
    this.generation = generation
    this.positions.clear()
    for (const [organizationId, version] of versions) this.positions.set(organizationId, version)
  }

  /** Adds an event; a reader that more wait for than are allowed is behind from then on. */
  addEvent(event: EncodedEvent): void {
    if (this.behind) return
    if (this.events >= MAX_EVENTS || this.bytes + event.size > MAX_BYTES) return this.fallBehind()
    this.events++
    this.bytes += event.size
    this.add(event)
  }

  /** Leaves out all that a snapshot makes up for. */
  fallBehind(): void {
    this.behind = true
    this.waiting = this.waiting.filter(({ isReplaceable }) => !isReplaceable)
    this.events = 0
    this.bytes = 0
  }

  /** Adds a snapshot that makes up for what was left out. */
  catchUp(snapshot: Message): void {
    this.behind = false
    this.add(snapshot)
  }

  /** Adds a message. It leaves with the next {@link flush}. */
  add(message: Message): void {
    if (this.isEnded) return
    this.stale = message === STALE
    this.waiting.push(message)
  }

  /** Says that the storage is away, once until the next message. */
  addStale(): void {
    if (!this.isStale) this.add(STALE)
  }

  /**
   * The storage is back. Returns whether the reader needs a message that shows it: it does not if `stale` still waits, which is taken
   * back, so that outages add nothing to what waits for a slow reader, nor if it is behind, as a snapshot follows.
   */
  recover(): boolean {
    if (this.stale && this.waiting.length > 0) {
      this.waiting.pop()
      this.stale = false
    }
    return this.stale && !this.behind
  }

  /** Adds the last message. */
  end(reason: EndReason): void {
    this.add(endMessage(reason))
    this.endedAt ??= performance.now()
    this.flush()
  }

  /** Closes the stream without its last messages. */
  discard(): void {
    const { sink } = this
    this.close()
    sink?.destroy()
  }

  /** Writes a comment when the reader got nothing for this long, in milliseconds. */
  ping(after: number): void {
    const isIdle = this.isWritable && this.rest.length === 0 && this.waiting.length === 0
    if (isIdle && performance.now() - this.sentAt >= after) this.write([PING])
  }

  open(sink: BodySink): void {
    this.read = true
    this.sink = sink
    this.isWritable = true
    this.flush()
  }

  drained(): void {
    this.isWritable = this.sink !== undefined
    // Not at once: a quick reader would keep the event loop busy until it has everything.
    if (this.hasOutput) this.owner.writable(this)
    else if (this.isWritable && this.behind) this.owner.ready(this)
  }

  close(): void {
    this.sink = undefined
    this.isWritable = false
    this.owner.closed(this)
  }

  /** Writes about {@link CHUNK_BYTES} of what waits, if the reader takes it, and ends after the last message. */
  flush(): void {
    if (!this.isWritable) return
    // The head of the answer leaves with the first chunk, also where no message is there yet.
    if (!this.isOpened || this.rest.length > 0 || this.waiting.length > 0) this.write(this.nextChunk())
    if (!this.isWritable) return
    if (this.rest.length > 0 || this.waiting.length > 0) this.owner.writable(this)
    else if (this.isEnded) {
      const { sink } = this
      this.close()
      sink!.end()
    } else if (this.behind) this.owner.ready(this)
  }

  private nextChunk(): ReadonlyArray<Uint8Array> {
    const chunk: Array<Uint8Array> = []
    let text = this.isOpened ? "" : RETRY
    let size = 0
    let taken = 0
    this.isOpened = true
    for (;;) {
      // One buffer for the texts of many messages: thousands of small ones would keep the collector busy.
      if (this.rest.length > 0 && text !== "") {
        chunk.push(encoder.encode(text))
        text = ""
      }
      let written = 0
      while (written < this.rest.length && size < CHUNK_BYTES) {
        const piece = this.rest[written++]!
        size += piece.length
        chunk.push(piece)
      }
      this.rest = this.rest.slice(written)
      if (size >= CHUNK_BYTES || taken === this.waiting.length) break
      const message = this.waiting[taken++]!
      const begin = textWithId(message, this.idAfter(message))
      text += begin
      size += begin.length
      this.rest = message.pieces
    }
    if (text !== "") chunk.push(encoder.encode(text))
    this.waiting = taken === this.waiting.length ? [] : this.waiting.slice(taken)
    return chunk
  }

  /** The id of a message that is about to be written. */
  private idAfter(message: Message): string {
    for (const [organizationId, version] of message.positions) {
      if (version === undefined) this.positions.delete(organizationId)
      else this.positions.set(organizationId, version)
    }
    if (message.size > 0) {
      this.events--
      this.bytes -= message.size
    }
    return formatEventId(this.generation, this.positions)
  }

  private write(chunk: ReadonlyArray<Uint8Array>): void {
    this.sentAt = performance.now()
    // The sink may call `drained` before it returns.
    this.isWritable = false
    if (this.sink!.write(chunk)) this.isWritable = this.sink !== undefined
  }
}
