/** Admission control for all requests of a server. */
import { corsHeaders, countOverload, type makeNodeListener, rejectOverload } from "@sojourn/adapter-http"
import type { Effect } from "effect"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { Connection } from "./Connection.ts"
import { type PermittedRequest, type PermittedResponse, type PhaseCounts, RequestPermit } from "./RequestPermit.ts"
import type { AdmissionGauges } from "./metrics.ts"
import { isProbe } from "./probes.ts"

/** The listener that answers admitted requests. */
export type NodeListener = Effect.Success<typeof makeNodeListener>

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
  private readonly counts: PhaseCounts = {
    receiving: 0,
    inFlight: 0,
    atDirectory: 0,
    streaming: 0,
    answering: 0,
    answered: 0
  }
  /** Answers an admitted request. Until there is one that does, requests are rejected. */
  listener: NodeListener = (request, response) => rejectOverload(request, response)
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
    const { receiving, inFlight, atDirectory, answering, answered } = this.counts
    return receiving + inFlight + atDirectory + answering + answered
  }

  /**
   * Answers a request, or rejects it. Requests of a connection are answered one after the other: one that was sent ahead waits until the
   * client has read the answer before, so that a client that does not read costs the memory of one answer.
   */
  serve(request: PermittedRequest, response: PermittedResponse, expectsContinue: boolean): void {
    const connection = this.connections.get(request.socket)
    // The connection was closed meanwhile.
    if (connection === undefined) return
    if (this.isDraining) response.setHeader("Connection", "close")
    const before = connection.permits.length
    if (before >= MAX_PIPELINED) return this.reject(request, response, "requests sent ahead")
    if (before === 0 && this.isFull(request)) return this.reject(request, response, "requests")
    const permit = new RequestPermit(response, this.counts)
    connection.permits.push(permit)
    request.permit = permit
    response.permit = permit
    response.on("close", () => this.closed(connection, permit))
    if (before > 0) connection.sentAhead.push({ request, response, permit, expectsContinue })
    else this.begin(request, response, permit, expectsContinue)
  }

  /** Calls `end`, which ends a connection, once the requests are answered that were received completely. A second call does nothing. */
  endAfterAnswers(socket: Socket, end: () => void): void {
    const connection = this.connections.get(socket)
    if (connection === undefined) return end()
    if (connection.endAfterAnswers !== undefined) return
    connection.endAfterAnswers = end
    if (!connection.permits.some(({ response }) => response.req.complete)) end()
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

  private isFull({ url }: PermittedRequest): boolean {
    return this.counts.inFlight >= this.maxInFlight && !isProbe(url)
  }

  private reject(request: PermittedRequest, response: PermittedResponse, what: string): void {
    countOverload(what)
    rejectOverload(request, response, this.cors)
  }

  private begin(
    request: PermittedRequest,
    response: PermittedResponse,
    permit: RequestPermit,
    expectsContinue: boolean
  ): void {
    // A request is in flight once its body is complete: slow uploads use no capacity.
    if (hasBody(request) && !request.complete) request.isReceiving = true
    else permit.begin()
    this.listener(request, response, expectsContinue)
  }

  private closed(connection: Connection, permit: RequestPermit): void {
    connection.release(permit)
    // After an answer that closes the connection nothing more of it is carried out (RFC 9112, section 9.6).
    if (connection.socket.writable) this.proceed(connection)
    // An answer whose head was written before the drain began may have said that the connection is kept.
    if (this.isDraining && connection.permits.length === 0) connection.socket.destroySoon()
  }

  /** Answers the next request that was sent ahead. */
  private proceed(connection: Connection): void {
    const { endAfterAnswers } = connection
    const next = connection.sentAhead.shift()
    if (next === undefined || (endAfterAnswers !== undefined && !next.request.complete)) return endAfterAnswers?.()
    const { request, response, permit, expectsContinue } = next
    if (this.isFull(request)) this.reject(request, response, "requests")
    else this.begin(request, response, permit, expectsContinue)
  }

  private closeUnread(): void {
    const now = performance.now()
    for (const connection of this.connections.values()) connection.closeIfUnread(now)
  }
}
