/** The 503s of admission control. They are delayed: clients that retry at once would fill the event loop. */
import { type CorsHeaders, rejectOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, ServerResponse } from "node:http"

/** How long a rejection is delayed, in milliseconds. */
const DELAY = 25

/** The interval between two rounds, in milliseconds. Each round sends the rejections that are due. */
const ROUND = 5

interface Rejection {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly at: number
}

/**
 * Sends overload rejections (503) after a delay. Clients that retry as soon as they are answered would otherwise fill the event
 * loop with rejections: libuv reads from up to a thousand ready sockets before timers and callbacks run, so that admitted
 * requests would wait for seconds.
 */
export class DelayedRejections {
  private readonly delayed: Array<Rejection> = []
  private isRunning = false
  private isDraining = false
  private readonly cors: CorsHeaders | undefined

  constructor(cors: CorsHeaders | undefined) {
    this.cors = cors
  }

  /** Rejects a request: after the delay, or at once if backpressure has paused its connection for as long (`pausedSince`). */
  reject(request: IncomingMessage, response: ServerResponse, pausedSince?: number): void {
    const at = performance.now()
    if (pausedSince !== undefined && at - pausedSince >= DELAY) return this.send({ request, response, at })
    this.delayed.push({ request, response, at })
    if (this.isDraining) return this.sendUntil(Infinity)
    if (this.isRunning) return
    this.isRunning = true
    setTimeout(() => this.run(), ROUND)
  }

  /** Sends all rejections, delays none from now on, and closes the connection with each. */
  beginDrain(): void {
    this.isDraining = true
    this.sendUntil(Infinity)
  }

  private run(): void {
    this.sendUntil(performance.now() - DELAY)
    this.isRunning = this.delayed.length > 0
    if (this.isRunning) setTimeout(() => this.run(), ROUND)
  }

  /** Sends the rejections of requests that came at this time or before. */
  private sendUntil(time: number): void {
    const later = this.delayed.findIndex(({ at }) => at > time)
    for (const rejection of this.delayed.splice(0, later < 0 ? this.delayed.length : later)) this.send(rejection)
  }

  private send({ request, response }: Rejection): void {
    if (response.destroyed) return
    if (this.isDraining) response.shouldKeepAlive = false
    rejectOverload(request, response, this.cors)
  }
}
