import { type CorsHeaders, rejectOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, ServerResponse } from "node:http"

/** How long who is refused waits for the answer, in milliseconds. */
const HOLD = 25

/** How often those who waited are answered, in milliseconds. */
const ROUND = 5

interface Refusal {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly at: number
}

/**
 * Refuses for lack of room, a moment later than at once. Whoever asks again as soon as it is answered would otherwise keep the
 * server busy with nothing but refusing; and when ever more sockets have something to read, libuv goes on reading for
 * a thousand of them after another before anything else has its turn, so that those who were let in wait for seconds.
 */
export class Refusals {
  private readonly held: Array<Refusal> = []
  private isRunning = false
  private isLeaving = false
  private readonly cors: CorsHeaders | undefined

  constructor(cors: CorsHeaders | undefined) {
    this.cors = cors
  }

  /** Refuses a request. One whose connection waited long enough already, since then, does not wait again. */
  refuse(request: IncomingMessage, response: ServerResponse, waitsSince?: number): void {
    const at = performance.now()
    if (waitsSince !== undefined && at - waitsSince >= HOLD) return this.turnAway({ request, response, at })
    this.held.push({ request, response, at })
    if (this.isLeaving) return this.answer(Infinity)
    if (this.isRunning) return
    this.isRunning = true
    setTimeout(() => this.run(), ROUND)
  }

  /** From now on nobody waits, and each answer says that its connection ends with it. */
  leave(): void {
    this.isLeaving = true
    this.answer(Infinity)
  }

  private run(): void {
    this.answer(performance.now() - HOLD)
    this.isRunning = this.held.length > 0
    if (this.isRunning) setTimeout(() => this.run(), ROUND)
  }

  /** Answers those who wait since then, or for longer. */
  private answer(since: number): void {
    const later = this.held.findIndex(({ at }) => at > since)
    for (const refusal of this.held.splice(0, later < 0 ? this.held.length : later)) this.turnAway(refusal)
  }

  private turnAway({ request, response }: Refusal): void {
    if (response.destroyed) return
    if (this.isLeaving) response.shouldKeepAlive = false
    rejectOverload(request, response, this.cors)
  }
}
