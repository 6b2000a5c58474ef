/** What waits for clients to read it: so many bytes at most, over all connections. */
import { countOverload } from "./overload.ts"

/** How many bytes of answers wait at most. An honest client has read most of its answer before that of the next one is written. */
const MOST_BYTES = 128 * 1024 * 1024

/** A connection that an answer is written to. */
interface Destroyable {
  readonly destroy: () => unknown
}

export class UnreadAnswers {
  /** By the answers' responses, that which has waited for longest first. */
  private readonly waiting = new Map<Destroyable, Uint8Array>()
  /** How many answers share a content, such as that of a page: it is in memory once. */
  private readonly shares = new Map<Uint8Array, number>()
  private readonly most: number
  private bytes = 0

  constructor(most: number = MOST_BYTES) {
    this.most = most
  }

  /** Notes that the content waits until the client of the response reads. Closes connections whose clients have read nothing for longest, where it is too much. */
  wait(response: Destroyable, content: Uint8Array): void {
    this.release(response)
    this.waiting.set(response, content)
    const shares = this.shares.get(content) ?? 0
    if (shares === 0) this.bytes += content.length
    this.shares.set(content, shares + 1)
    for (const [oldest] of this.waiting) {
      if (this.bytes <= this.most || oldest === response) break
      this.release(oldest)
      countOverload("unread answers")
      oldest.destroy()
    }
  }

  /** Notes that nothing of the response waits any more. */
  release(response: Destroyable): void {
    const content = this.waiting.get(response)
    if (content === undefined) return
    this.waiting.delete(response)
    const shares = this.shares.get(content)!
    if (shares > 1) return void this.shares.set(content, shares - 1)
    this.shares.delete(content)
    this.bytes -= content.length
  }
}
