/** Admission control for all requests of a server, and the permit that counts each of them. */
import { corsHeaders, countOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Incoming } from "./Incoming.ts"
import { isProbe } from "./probes.ts"
import { Backpressure } from "./Backpressure.ts"
import { type Connection, Connections } from "./Connections.ts"
import { DelayedRejections } from "./DelayedRejections.ts"
import type { AdmissionGauges } from "./metrics.ts"

export interface AdmissionOptions {
  /** How many requests may be in flight; further ones are rejected. */
  readonly maxInFlight: number
  /** How many connections may be open; a further one evicts the longest idle one. */
  readonly maxConnections: number
  /** Origins whose pages may read the rejection. */
  readonly corsOrigins: ReadonlyArray<string>
}

/** The largest number of unanswered requests on one connection. Well-behaved clients pipeline fewer. */
const MAX_PIPELINED = 32

/** How long a client may take to read an answer, in milliseconds. */
const READ_TIMEOUT = 60_000

/**
 * How long the client of a stream may read nothing, in milliseconds. Little waits for it meanwhile, and it catches up by a snapshot; a
 * client that is gone without a word should not count as a subscriber for long.
 */
const STREAM_READ_TIMEOUT = 300_000

/** The interval between two checks of unread answers, in milliseconds. */
const READ_CHECK = 5_000

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Admission control for all requests of a server. It bounds the requests in flight and the open connections: with backpressure
 * from a threshold on, then by rejecting requests (503) before anything of them is decoded, and by evicting idle connections. It
 * closes connections whose clients do not read their answers, and tells the drain which requests are unanswered.
 */
export class AdmissionController {
  private readonly options: AdmissionOptions
  private readonly connections: Connections
  /** Answers that clients have not read completely, and since when. */
  private readonly unread = new Map<ServerResponse, number>()
  private readonly rejections: DelayedRejections
  private readonly backpressure: Backpressure
  /** The answers that are streams, and how much of each its client had read at the last check, and when that was more. */
  private readonly streams = new Map<ServerResponse, { read: number; at: number }>()
  private inFlight = 0
  private externalWaits = 0
  private isDraining = false
  /** Is called when the drain begins. */
  onDrain: () => void = () => {}

  constructor(server: Server, options: AdmissionOptions) {
    this.options = options
    this.connections = new Connections(options.maxConnections)
    this.rejections = new DelayedRejections(corsHeaders(options.corsOrigins))
    this.backpressure = new Backpressure(() => this.inFlight, options.maxInFlight)
    server.on("connection", (socket: Socket) => this.connected(socket))
    const checking = setInterval(() => this.closeSlowReaders(), READ_CHECK).unref()
    server.once("close", () => clearInterval(checking))
  }

  /** The current readings of the gauges. */
  get gauges(): AdmissionGauges {
    const { connections, backpressure, inFlight, externalWaits } = this
    return { connections: connections.size, paused: backpressure.size, inFlight, externalWaits }
  }

  /** The number of admitted requests whose answers have not been sent completely. Streams are none: they end by themselves. */
  get openRequests(): number {
    let count = -this.streams.size
    for (const { openResponses } of this.connections.values()) count += openResponses.length
    return count
  }

  /** Admits a request. Returns false for one that is rejected; its response is then taken care of. */
  admit(request: Incoming, response: ServerResponse): boolean {
    const connection = this.connections.of(request.socket)
    // The connection was evicted meanwhile.
    if (connection === undefined) return true
    const pausedSince = this.backpressure.received(connection)
    const isFull = this.inFlight >= this.options.maxInFlight
    if ((isFull && !isProbe(request.url)) || connection.openResponses.length >= MAX_PIPELINED) {
      countOverload(isFull ? "requests" : "requests sent ahead")
      this.rejections.reject(request, response, pausedSince)
      return false
    }
    this.issuePermit(connection, request, response)
    return true
  }

  /** From now on every answer closes its connection. */
  beginDrain(): void {
    this.isDraining = true
    this.rejections.beginDrain()
    this.backpressure.beginDrain()
    for (const { openResponses } of this.connections.values()) {
      for (const response of openResponses) response.shouldKeepAlive = false
    }
    this.onDrain()
  }

  /** Closes the connections without open requests; those on which anything was received, only with `all`. */
  closeIdle(all: boolean): void {
    for (const { socket, openResponses } of this.connections.values()) {
      if (openResponses.length === 0 && (all || socket.bytesRead === 0)) socket.destroy()
    }
  }

  private connected(socket: Socket): void {
    const evicted = this.connections.open(socket)
    if (evicted !== undefined) {
      countOverload("connections")
      evicted.socket.destroy()
    }
    socket.once("close", () => this.connections.close(socket))
  }

  private issuePermit(connection: Connection, request: Incoming, response: PermittedResponse): void {
    connection.openResponses.push(response)
    if (this.isDraining) response.shouldKeepAlive = false
    const permit = new RequestPermit(this, connection, response)
    response[PERMIT] = permit
    request.permit = permit
    // A request is in flight once its body is complete: slow uploads use no capacity.
    if (hasBody(request)) request.whenComplete = permit
    else permit.begin()
    // Each of these events comes once. `once` would allocate two more functions for every request.
    response.on("prefinish", answered)
    response.on("close", closed)
  }

  /** Counts a request as in flight. */
  beginRequest(connection: Connection): void {
    this.inFlight++
    this.connections.beginRequest(connection)
  }

  /** Ends a request that was in flight. */
  endRequest(connection: Connection): void {
    this.inFlight--
    this.connections.endRequest(connection)
  }

  /** Counts a request as waiting for another server instead of in flight. Its connection does not become idle. */
  suspendRequest(): void {
    this.inFlight--
    this.externalWaits++
  }

  /** Counts a request as in flight again, above `maxInFlight` if need be. */
  resumeRequest(): void {
    this.inFlight++
    this.externalWaits--
  }

  /** Counts a request as a stream instead of in flight. Its connection does not become idle. */
  beginStream(response: ServerResponse): void {
    this.inFlight--
    this.streams.set(response, { read: 0, at: performance.now() })
  }

  /** Ends a stream. Its connection is idle then. */
  endStream(connection: Connection, response: ServerResponse): void {
    this.streams.delete(response)
    this.connections.endRequest(connection)
  }

  /** Starts the timeout for reading an answer that was written. */
  answered(connection: Connection, response: ServerResponse): void {
    if (connection.socket.writableLength > 0) this.unread.set(response, performance.now())
  }

  /** Ends a request whose answer was sent, or whose connection was closed. */
  closed(connection: Connection, response: ServerResponse): void {
    const { openResponses, socket } = connection
    openResponses.splice(openResponses.indexOf(response), 1)
    this.unread.delete(response)
    if (openResponses.length > 0) return
    // An answer whose head was written before the drain began may have said that the connection is kept.
    if (this.isDraining) socket.destroySoon()
    else this.backpressure.answered(connection)
  }

  private closeSlowReaders(): void {
    const now = performance.now()
    for (const [response, at] of this.unread) if (now - at > READ_TIMEOUT) response.socket?.destroy()
    for (const [{ socket }, progress] of this.streams) {
      if (socket === null) continue
      const read = socket.bytesWritten - socket.writableLength
      if (socket.writableLength > 0 && read === progress.read) {
        if (now - progress.at > STREAM_READ_TIMEOUT) socket.destroy()
      } else {
        progress.read = read
        progress.at = now
      }
    }
  }
}

/** The permit of an admitted request: counts it as in flight, once, between `begin` and `end`, or as a stream from some time on. */
class RequestPermit {
  private isInFlight = false
  private isSuspended = false
  private isStream = false
  private isOver = false
  readonly controller: AdmissionController
  readonly connection: Connection
  private readonly response: ServerResponse

  constructor(controller: AdmissionController, connection: Connection, response: ServerResponse) {
    this.controller = controller
    this.connection = connection
    this.response = response
  }

  /** The request was received completely. */
  begin(): void {
    if (this.isOver) return
    this.isInFlight = true
    this.controller.beginRequest(this.connection)
  }

  /** The request begins to wait for another server. */
  suspend(): void {
    if (!this.isInFlight || this.isSuspended) return
    this.isSuspended = true
    this.controller.suspendRequest()
  }

  resume(): void {
    if (!this.isSuspended) return
    this.isSuspended = false
    this.controller.resumeRequest()
  }

  /** The answer is a stream, which may last for hours. */
  beginStream(): void {
    this.resume()
    if (!this.isInFlight) return
    this.isInFlight = false
    this.isStream = true
    this.controller.beginStream(this.response)
  }

  /** The request was answered, or its connection was closed. */
  end(): void {
    this.resume()
    this.isOver = true
    if (this.isStream) {
      this.isStream = false
      this.controller.endStream(this.connection, this.response)
    }
    if (!this.isInFlight) return
    this.isInFlight = false
    this.controller.endRequest(this.connection)
  }
}

const PERMIT = Symbol("permit")

type PermittedResponse = ServerResponse & { [PERMIT]?: RequestPermit }

// Two listeners for all requests: closures for each would take more memory than all other state of a request.
function answered(this: PermittedResponse): void {
  const permit = this[PERMIT]!
  permit.end()
  permit.controller.answered(permit.connection, this)
}

function closed(this: PermittedResponse): void {
  const permit = this[PERMIT]!
  permit.end()
  permit.controller.closed(permit.connection, this)
}
