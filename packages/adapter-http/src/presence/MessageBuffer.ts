/** The messages that wait for a subscriber, within bounds. */
import type { OrganizationId } from "@sojourn/core"
import { StreamPosition } from "./eventId.ts"
import { type EncodedEvent, type Message, RETRY, STALE, textWithId } from "./messages.ts"

/** How many events, and bytes of them, may wait for a subscriber. */
const MAX_EVENTS = 1_000
const MAX_BYTES = 256 * 1024

/** How many bytes are taken at once, about. */
const CHUNK_BYTES = 64 * 1024

const encoder = new TextEncoder()

/** A subscriber that falls behind has no events waiting any more, and gets a snapshot in their place once it reads again. */
export class MessageBuffer {
  /** Whether events were left out, and no snapshot was asked for in their place yet. */
  isBehind = false
  /** Whether the last message says that the storage is away. */
  isStale = false
  /** The position after the last message that was taken. */
  readonly position = new StreamPosition()
  private waiting: Array<Message> = []
  /** The rest of a message whose beginning was taken. */
  private rest: ReadonlyArray<Uint8Array> = [RETRY]
  private events = 0
  private bytes = 0

  get isEmpty(): boolean {
    return this.rest.length === 0 && this.waiting.length === 0
  }

  add(message: Message): void {
    this.isStale = message === STALE
    this.waiting.push(message)
  }

  /** Adds an event. Above the bounds the subscriber is behind from then on. */
  addEvent(event: EncodedEvent): void {
    if (this.isBehind) return
    if (this.events >= MAX_EVENTS || this.bytes + event.size > MAX_BYTES) {
      this.isBehind = true
      return this.leaveOut(() => true)
    }
    this.events++
    this.bytes += event.size
    this.add(event)
  }

  /** Removes the waiting messages of these organizations that a snapshot replaces. */
  leaveOut(isOf: (organizationId: OrganizationId) => boolean): void {
    this.waiting = this.waiting.filter(
      ({ isReplaceable, positions }) => !isReplaceable || !positions.some(([organizationId]) => isOf(organizationId))
    )
    const sizes = this.waiting.flatMap(({ size }) => (size > 0 ? [size] : []))
    this.events = sizes.length
    this.bytes = sizes.reduce((sum, size) => sum + size, 0)
  }

  /** Adds `stale`, once until the next message. */
  addStale(): void {
    if (!this.isStale) this.add(STALE)
  }

  /**
   * Removes a `stale` that still waits, once the storage answers again: outages must not fill the buffer of a slow subscriber. Returns
   * whether a message has to follow because `stale` was taken. While the subscriber is behind, a snapshot follows anyway.
   */
  recover(): boolean {
    if (this.isStale && this.waiting.length > 0) {
      this.waiting.pop()
      this.isStale = false
    }
    return this.isStale && !this.isBehind
  }

  /** Takes about {@link CHUNK_BYTES} of what waits. */
  take(): ReadonlyArray<Uint8Array> {
    const chunk: Array<Uint8Array> = []
    let text = ""
    let size = 0
    let taken = 0
    let written = 0
    // One buffer for the texts of many messages: thousands of small ones would keep the collector busy.
    const encodeText = () => {
      if (text !== "") chunk.push(encoder.encode(text))
      text = ""
    }
    while (size < CHUNK_BYTES && (written < this.rest.length || taken < this.waiting.length)) {
      const piece = this.rest[written]
      if (piece !== undefined) {
        encodeText()
        chunk.push(piece)
        size += piece.length
        written++
        continue
      }
      const message = this.waiting[taken++]!
      const begin = textWithId(message, this.position.advance(message.positions))
      text += begin
      size += begin.length
      this.rest = message.pieces
      written = 0
      if (message.size > 0) {
        this.events--
        this.bytes -= message.size
      }
    }
    encodeText()
    this.rest = this.rest.slice(written)
    this.waiting = this.waiting.slice(taken)
    return chunk
  }
}
