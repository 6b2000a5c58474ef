/** Admission control for all requests of a server. */
import { corsHeaders, countOverload, rejectOverload } from "@sojourn/adapter-http"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { Connection } from "./Connection.ts"
import type { PermittedRequest, PermittedResponse } from "./messages.ts"
import type { AdmissionGauges } from "./metrics.ts"
import { isProbe } from "./probes.ts"
import { type PhaseCounts, RequestPermit } from "./RequestPermit.ts"

export interface AdmissionOptions {
  /** How many requests may be in flight; further ones are rejected. */
  readonly maxInFlight: number
  /** Origins whose pages may read the rejection. */
  readonly corsOrigins: ReadonlyArray<string>
}

/** The largest number of unanswered requests on one connection. Well-behaved clients pipeline fewer. */
const MAX_PIPELINED = 32

/** The interval between two checks of unread answers, in milliseconds. */
const READ_CHECK = 5_000

const hasBody = ({ headers }: PermittedRequest) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Admission control for all requests of a server. It rejects requests above the bounds (503) before anything of them is decoded,
 * closes connections whose clients do not read their answers, and knows which requests are unanswered when the server drains.
 */
export class AdmissionController {
  private readonly connections = new Map<Socket, Connection>()
  private readonly counts: PhaseCounts = { receiving: 0, inFlight: 0, atDirectory: 0, streaming: 0, answered: 0 }
  private readonly maxInFlight: number
  private readonly cors: ReturnType<typeof corsHeaders>
  private isDraining = false

  constructor(server: Server, { maxInFlight, corsOrigins }: AdmissionOptions) {
    this.maxInFlight = maxInFlight
    this.cors = corsHeaders(corsOrigins)
    server.on("connection", (socket: Socket) => {
      this.connections.set(socket, new Connection(socket))
      socket.once("close", () => this.connections.delete(socket))
    })
    const checking = setInterval(() => this.closeUnread(), READ_CHECK).unref()
    server.once("close", () => clearInterval(checking))
  }

  /** The current readings of the gauges. */
  get gauges(): AdmissionGauges {
    const { inFlight, atDirectory } = this.counts
    return { connections: this.connections.size, inFlight, externalWaits: atDirectory }
  }

  /** The number of admitted requests whose answers have not been sent completely. Streams are none: they end by themselves. */
  get openRequests(): number {
    const { receiving, inFlight, atDirectory, answered } = this.counts
    return receiving + inFlight + atDirectory + answered
  }

  /** Admits a request. Returns false for one that was rejected. */
  admit(request: PermittedRequest, response: PermittedResponse): boolean {
    const connection = this.connections.get(request.socket)
    // The connection was closed meanwhile.
    if (connection === undefined) return false
    if (this.isDraining) response.setHeader("Connection", "close")
    const isFull = this.counts.inFlight >= this.maxInFlight && !isProbe(request.url)
    if (isFull || connection.permits.length >= MAX_PIPELINED) {
      countOverload(isFull ? "requests" : "requests sent ahead")
      rejectOverload(request, response, this.cors)
      return false
    }
    const permit = new RequestPermit(response, this.counts)
    connection.permits.push(permit)
    request.permit = permit
    response.permit = permit
    // A request is in flight once its body is complete: slow uploads use no capacity.
    if (hasBody(request)) request.on("end", () => permit.begin())
    else permit.begin()
    response.on("close", () => this.closed(connection, permit))
    return true
  }

  /** From now on every answer closes its connection. */
  beginDrain(): void {
    this.isDraining = true
    for (const { permits } of this.connections.values()) {
      for (const { response } of permits) if (!response.headersSent) response.setHeader("Connection", "close")
    }
  }

  /** Closes the connections without open requests; without `all` only those on which nothing was received. */
  closeIdle(all: boolean): void {
    for (const { permits, socket } of this.connections.values()) {
      if (permits.length === 0 && (all || socket.bytesRead === 0)) socket.destroy()
    }
  }

  private closed(connection: Connection, permit: RequestPermit): void {
    connection.release(permit)
    // An answer whose head was written before the drain began may have said that the connection is kept.
    if (this.isDraining && connection.permits.length === 0) connection.socket.destroySoon()
  }

  private closeUnread(): void {
    const now = performance.now()
    for (const connection of this.connections.values()) connection.closeIfUnread(now)
  }
}
