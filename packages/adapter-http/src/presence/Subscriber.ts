import type { AdministratorId, FeedVersion, OrganizationId } from "@sojourn/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { joined } from "../pipeline/body.ts"
import { type EventId, formatEventId, parseEventId } from "./eventId.ts"
import { type EncodedEvent, endMessage, type EndReason, idLine, type Message, PING, RETRY, STALE } from "./messages.ts"

/** How many events, and bytes of them, may wait for a reader. */
const MOST_EVENTS = 1_000
const MOST_BYTES = 256 * 1024

/** How many bytes of messages are written at once, about. */
const CHUNK = 64 * 1024

type Chunks = readonly [Uint8Array]

/** Who reads a stream, and of what. */
export interface Subscription {
  readonly administratorId: AdministratorId
  readonly credential: Redacted.Redacted<string>
  readonly organizationIds: ReadonlyArray<OrganizationId>
  /** The id to resume from, as the client sent it. */
  readonly lastEventId: string | undefined
}

/**
 * A reader of a stream, and the messages that wait for it. They are bounded: a reader that falls behind has no events waiting any
 * more, and gets a snapshot once it reads again.
 */
export class Subscriber {
  readonly subscription: Subscription
  /** What the id to resume from stands for; none without one, and where it was not written by {@link formatEventId}. */
  readonly resumed: EventId | undefined
  /** The organizations that are on the stream. */
  readonly organizationIds = new Set<OrganizationId>()
  readonly begun = performance.now()
  /** When the stream rotates, by `performance.now`. */
  readonly endsAt: number
  /** The position of each organization that the reader knows: what the ids of its messages stand for. */
  private readonly positions = new Map<OrganizationId, FeedVersion>()
  /** None before it is known where the stream begins. */
  private epoch: string | undefined = undefined
  private waiting: Array<Message> = []
  private events = 0
  private bytes = 0
  private reader: ((chunks: Effect.Effect<Chunks, Cause.Done>) => void) | undefined = undefined
  private sentAt = performance.now()
  private isOpened = false
  private isStale = false
  private behind = false
  private ended = false
  private read = false
  private readonly onReady: (subscriber: Subscriber) => void

  /** `onReady` is called when a reader that is behind reads again. */
  constructor(subscription: Subscription, endsAt: number, onReady: (subscriber: Subscriber) => void) {
    this.subscription = subscription
    const { lastEventId } = subscription
    this.resumed = lastEventId === undefined ? undefined : Option.getOrUndefined(parseEventId(lastEventId))
    // A stream may end before it begins, as while the server drains: the client shall go on where it was.
    if (this.resumed !== undefined) this.begin(this.resumed)
    this.endsAt = endsAt
    this.onReady = onReady
  }

  /** Whether events were left out, and no snapshot made up for them yet. */
  get isBehind(): boolean {
    return this.behind
  }

  /** Whether the stream was ever read. */
  get isRead(): boolean {
    return this.read
  }

  /** Whether the last message was added. */
  get isEnded(): boolean {
    return this.ended
  }

  /** Sets what the ids of the next messages stand for. */
  begin({ epoch, versions }: EventId): void {
    this.epoch = epoch
    this.positions.clear()
    for (const [organizationId, version] of versions) this.positions.set(organizationId, version)
  }

  /** Adds an event; a reader that more wait for than are allowed is behind from then on. */
  addEvent(event: EncodedEvent): void {
    if (this.behind) return
    if (this.events >= MOST_EVENTS || this.bytes + event.size > MOST_BYTES) return this.fallBehind()
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
    if (this.ended) return
    this.isStale = message === STALE
    this.waiting.push(message)
  }

  /** Says that the storage is away, once until the next message. */
  addStale(): void {
    if (!this.isStale) this.add(STALE)
  }

  /** Adds the last message. */
  end(reason: EndReason): void {
    this.add(endMessage(reason))
    this.ended = true
    this.flush()
  }

  /** Writes a comment when the reader got nothing for this long, in milliseconds. */
  ping(after: number): void {
    if (this.reader !== undefined && performance.now() - this.sentAt >= after) this.send(PING)
  }

  /** Reads the next chunk, as soon as a message is there; ends after the last one. One call waits at a time. */
  readonly take: Effect.Effect<Chunks, Cause.Done> = Effect.callback((resume) => {
    this.read = true
    this.reader = resume
    this.flush()
    return Effect.sync(() => (this.reader = undefined))
  })

  /** Hands the waiting messages to the reader, if it waits for some. */
  flush(): void {
    if (this.reader === undefined) return
    // The head of the answer leaves with the first chunk, also where no message is there yet.
    if (this.waiting.length > 0 || !this.isOpened) return this.send(this.nextChunk())
    if (this.ended) {
      const resume = this.reader
      this.reader = undefined
      return resume(Cause.done())
    }
    if (this.behind) this.onReady(this)
  }

  private nextChunk(): Uint8Array {
    const parts: Array<Uint8Array> = []
    let size = 0
    let taken = 0
    if (!this.isOpened) parts.push(RETRY)
    this.isOpened = true
    while (taken < this.waiting.length && size < CHUNK) {
      const { bytes, positions, size: counted } = this.waiting[taken++]!
      for (const [organizationId, version] of positions) {
        if (version === undefined) this.positions.delete(organizationId)
        else this.positions.set(organizationId, version)
      }
      // Without an id the client keeps the one that it has.
      const id = this.epoch === undefined ? [] : [idLine(formatEventId(this.epoch, this.positions))]
      const message = [...id, ...bytes]
      for (const part of message) {
        size += part.length
        parts.push(part)
      }
      if (counted > 0) {
        this.events--
        this.bytes -= counted
      }
    }
    this.waiting = taken === this.waiting.length ? [] : this.waiting.slice(taken)
    return joined(parts)
  }

  private send(chunk: Uint8Array): void {
    const resume = this.reader!
    this.reader = undefined
    this.sentAt = performance.now()
    resume(Effect.succeed([chunk]))
  }
}
