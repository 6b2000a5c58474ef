/** A subscriber: the client of one presence stream, which its messages are pushed to. */
import type { AdministratorId, OrganizationId } from "@sojourn/core"
import type * as Redacted from "effect/Redacted"
import type { BodySink, PushedBody } from "../pipeline/PushedBody.ts"
import { type EventId, parseEventId } from "./eventId.ts"
import { MessageBuffer } from "./MessageBuffer.ts"
import { endMessage, type EndReason, type Message, PING } from "./messages.ts"

/** The caller of a stream, and the organizations of its list. */
export interface Subscription {
  readonly administratorId: AdministratorId
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
  /** The stream was read to its end, or the client has left. */
  readonly closed: (subscriber: Subscriber) => void
}

export class Subscriber extends MessageBuffer implements PushedBody {
  readonly _tag = "Pushed"
  readonly contentType = "text/event-stream"
  readonly contentLength = undefined
  readonly subscription: Omit<Subscription, "lastEventId">
  /** The meaning of the id to resume after, if the client sent one. The id itself, of up to 32 KiB, is not kept. */
  readonly resumesAfter: EventId | "unknown" | undefined
  readonly begunAt = performance.now()
  /** When the stream rotates, by `performance.now`. */
  readonly endsAt: number
  /** When the last message was added, by `performance.now`. */
  endedAt = Infinity
  /** Whether a driver has opened the body. */
  isOpened = false
  private sink: BodySink | undefined = undefined
  private isWritable = false
  private sentAt = performance.now()
  private readonly listener: SubscriberListener

  constructor({ lastEventId, ...subscription }: Subscription, endsAt: number, listener: SubscriberListener) {
    super()
    this.subscription = subscription
    this.endsAt = endsAt
    this.listener = listener
    if (lastEventId === undefined) return
    this.resumesAfter = parseEventId(lastEventId, subscription.organizationIds) ?? "unknown"
    // The stream may end before it begins, as while the server drains: then its last message has the client's own id.
    if (this.resumesAfter === "unknown") return
    for (const [generation, versions] of this.resumesAfter) {
      for (const [id, version] of versions) this.position.begin(id, generation, version)
    }
  }

  /** Whether the last message was added. */
  get isEnded(): boolean {
    return this.endedAt < Infinity
  }

  /** Adds a message, and has it written in a later turn of the event loop. */
  override add(message: Message): void {
    if (this.isEnded) return
    super.add(message)
    if (this.isWritable) this.listener.writable(this)
  }

  end(reason: EndReason): void {
    this.add(endMessage(reason))
    this.endedAt = Math.min(this.endedAt, performance.now())
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
    this.isOpened = true
    this.sink = sink
    this.isWritable = true
    this.flush()
  }

  drained(): void {
    this.isWritable = this.sink !== undefined
    // Not at once: a quick client would keep the event loop busy until it has everything.
    if (this.isWritable) this.listener.writable(this)
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
    if (!this.isEmpty) this.listener.writable(this)
    else if (this.isEnded) {
      const { sink } = this
      this.close()
      sink!.end()
    } else if (this.isBehind) this.listener.ready(this)
  }

  private write(chunk: ReadonlyArray<Uint8Array>): void {
    this.sentAt = performance.now()
    // The sink may call `drained` before it returns.
    this.isWritable = false
    if (this.sink!.write(chunk)) this.isWritable = this.sink !== undefined
  }
}
