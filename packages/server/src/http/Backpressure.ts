/** Backpressure of admission control: while enough requests are in flight, answered connections are not read from. */
import type { Connection } from "./Connections.ts"

/** In-flight requests from which on answered connections are paused: one batch that is written, and the next one. */
const THRESHOLD = 512

/** The longest pause of a connection, in milliseconds. */
const MAX_PAUSE = 50

/** The interval between two rounds, in milliseconds. Each round resumes the connections whose pause is over. */
const ROUND = 5

/**
 * Pauses reading from answered connections while the server has enough requests in flight. The next request of a paused
 * connection stays in the system's socket buffers: inside the process it would make garbage collection and cache misses of
 * all other requests more expensive. Connections are resumed in the order of their answers, as soon as there is capacity, and
 * after `MAX_PAUSE` in any case; their next request is then admitted or rejected.
 */
export class Backpressure {
  private readonly inFlight: () => number
  private readonly threshold: number
  private readonly paused: Array<Connection> = []
  /** How many connections were resumed in this round, and in the previous one, and have sent no request since. */
  private expected = 0
  private expectedBefore = 0
  private round = 0
  private isRunning = false
  private isDraining = false

  /** `inFlight` reads the number of requests in flight, of which `maxInFlight` are allowed. */
  constructor(inFlight: () => number, maxInFlight: number) {
    this.inFlight = inFlight
    this.threshold = Math.min(THRESHOLD, maxInFlight)
  }

  /** The number of paused connections. */
  get size(): number {
    return this.paused.length
  }

  /** Pauses a connection that was answered, if the server has enough requests in flight. */
  answered(connection: Connection): void {
    if (this.isDraining || (this.paused.length === 0 && this.inFlight() < this.threshold)) return
    // It is paused already and this request had been read before, or it closes with this answer.
    if (connection.pausedSince !== undefined || !connection.socket.writable) return
    connection.socket.pause()
    connection.pausedSince = performance.now()
    this.paused.push(connection)
    this.resumeWithinCapacity()
    if (this.isRunning) return
    this.isRunning = true
    setTimeout(() => this.run(), ROUND)
  }

  /** Records a request of a connection. Returns since when it had been paused, by `performance.now`, if it was. */
  received(connection: Connection): number | undefined {
    const { pausedSince, resumedInRound } = connection
    // It is not paused; or it still is, and this request had been read before.
    if (resumedInRound === undefined) return undefined
    connection.pausedSince = undefined
    connection.resumedInRound = undefined
    if (resumedInRound === this.round) this.expected--
    else if (resumedInRound === this.round - 1) this.expectedBefore--
    return pausedSince
  }

  /** Resumes all connections, and pauses none from now on. */
  beginDrain(): void {
    this.isDraining = true
    this.resume(this.paused.length)
  }

  /** Resumes as many connections as there is capacity for; those that were just resumed count as in flight. */
  private resumeWithinCapacity(): void {
    const capacity = this.threshold - this.inFlight() - this.expected - this.expectedBefore
    if (capacity > 0) this.resume(capacity)
  }

  private resume(count: number): void {
    for (const connection of this.paused.splice(0, count)) {
      if (connection.socket.destroyed) continue
      connection.resumedInRound = this.round
      this.expected++
      connection.socket.resume()
    }
  }

  private run(): void {
    this.round++
    this.expectedBefore = this.expected
    this.expected = 0
    const since = performance.now() - MAX_PAUSE
    const later = this.paused.findIndex(({ pausedSince }) => pausedSince! > since)
    this.resume(later < 0 ? this.paused.length : later)
    this.resumeWithinCapacity()
    this.isRunning = this.paused.length > 0
    if (this.isRunning) setTimeout(() => this.run(), ROUND)
  }
}
