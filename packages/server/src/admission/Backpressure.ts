import type { Connection } from "./Connections.ts"

/** How many requests are worked on before connections wait for their turns: a batch that is written, and one that is next. */
const ENOUGH = 512

/** How long a connection waits at most, in milliseconds. */
const LONGEST = 50

/** How often those who wait are looked at, in milliseconds. */
const ROUND = 5

/**
 * Keeps requests out of the process while it has enough to do. A connection that was just answered is not read from until it
 * is its turn again: what its client sends meanwhile lies in the system's buffers, where it costs nothing, and not in this
 * process, where it would make the work on all others dearer. Turns are in the order of the answers. Nobody waits for long: who
 * does is read from all the same, and served or refused.
 */
export class Backpressure {
  private readonly working: () => number
  private readonly enough: number
  private readonly waiting: Array<Connection> = []
  /** How many connections had their turn in this round, and in the one before, on which nothing came yet. */
  private expected = 0
  private expectedBefore = 0
  private round = 0
  private isRunning = false
  private isLeaving = false

  /** `working` tells how many requests are worked on, and `most` is how many that may be. */
  constructor(working: () => number, most: number) {
    this.working = working
    this.enough = Math.min(ENOUGH, most)
  }

  /** How many connections wait. */
  get size(): number {
    return this.waiting.length
  }

  /** A connection was answered. */
  answered(connection: Connection): void {
    if (this.isLeaving || (this.waiting.length === 0 && this.working() < this.enough)) return
    // It waits already, though something had come of it; or it ends with this answer.
    if (connection.waitsSince !== undefined || !connection.socket.writable) return
    connection.socket.pause()
    connection.waitsSince = performance.now()
    this.waiting.push(connection)
    this.next()
    if (this.isRunning) return
    this.isRunning = true
    setTimeout(() => this.run(), ROUND)
  }

  /** A request came on a connection. Answers since when it waits, by `performance.now`, if it had to. */
  came(connection: Connection): number | undefined {
    const { waitsSince, turn } = connection
    // It does not wait, or it waits still, and this came before.
    if (turn === undefined) return undefined
    connection.waitsSince = undefined
    connection.turn = undefined
    if (turn === this.round) this.expected--
    else if (turn === this.round - 1) this.expectedBefore--
    return waitsSince
  }

  /** From now on nobody waits. */
  leave(): void {
    this.isLeaving = true
    this.letIn(this.waiting.length)
  }

  /** As many as there is room for have their turn. */
  private next(): void {
    const room = this.enough - this.working() - this.expected - this.expectedBefore
    if (room > 0) this.letIn(room)
  }

  private letIn(count: number): void {
    for (const connection of this.waiting.splice(0, count)) {
      if (connection.socket.destroyed) continue
      connection.turn = this.round
      this.expected++
      connection.socket.resume()
    }
  }

  private run(): void {
    this.round++
    this.expectedBefore = this.expected
    this.expected = 0
    const since = performance.now() - LONGEST
    const later = this.waiting.findIndex(({ waitsSince }) => waitsSince! > since)
    this.letIn(later < 0 ? this.waiting.length : later)
    this.next()
    this.isRunning = this.waiting.length > 0
    if (this.isRunning) setTimeout(() => this.run(), ROUND)
  }
}
