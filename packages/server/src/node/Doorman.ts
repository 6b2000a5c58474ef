import { corsHeaders, countOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Connection, Connections } from "./Connections.ts"
import { isVital } from "./probes.ts"
import { Refusals } from "./Refusals.ts"

export interface DoormanOptions {
  /** How many requests are worked on at once; whoever comes then is turned away. */
  readonly maxInFlight: number
  /** How many connections there are at once; the one that rests longest gives way to a new one. */
  readonly maxConnections: number
  /** Origins whose pages may read that they were turned away. */
  readonly corsOrigins: ReadonlyArray<string>
}

/** How many requests of one connection may be underway: more than any client sends ahead that means well. */
const MOST_AHEAD = 32

/** How long a client may take to fetch an answer, in milliseconds. */
const FETCH_TIME = 60_000

/** How often those who fetch their answers slowly are looked at, in milliseconds. */
const LOOK_AFTER = 5_000

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Stands before everything else that a server does. It turns requests away when there is too much to do, before anything of
 * them is looked at, knows which requests are underway, and lets whoever makes no use of a connection go.
 */
export class Doorman {
  private readonly options: DoormanOptions
  private readonly connections: Connections
  /** Answers that were given and are not fetched, and since when. */
  private readonly unfetched = new Map<ServerResponse, number>()
  private readonly refusals: Refusals
  private working = 0
  private isLeaving = false

  constructor(server: Server, options: DoormanOptions) {
    this.options = options
    this.connections = new Connections(options.maxConnections)
    this.refusals = new Refusals(corsHeaders(options.corsOrigins))
    server.on("connection", (socket: Socket) => this.connected(socket))
    const looking = setInterval(() => this.look(), LOOK_AFTER).unref()
    server.once("close", () => clearInterval(looking))
  }

  /** How many requests are underway. */
  get size(): number {
    let count = 0
    for (const { underway } of this.connections.values()) count += underway.length
    return count
  }

  /** Takes note of a request. False when it was turned away, and so answered. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.connections.of(request.socket)
    // It gave way meanwhile.
    if (connection === undefined) return true
    const isFull = this.working >= this.options.maxInFlight
    if ((isFull && !isVital(request.url)) || connection.underway.length >= MOST_AHEAD) {
      countOverload(isFull ? "requests" : "requests sent ahead")
      this.refusals.refuse(request, response)
      return false
    }
    this.begin(connection, request, response)
    return true
  }

  /** From now on every answer says that its connection ends with it. */
  leave(): void {
    this.isLeaving = true
    this.refusals.leave()
    for (const { underway } of this.connections.values()) {
      for (const response of underway) response.shouldKeepAlive = false
    }
  }

  /** Closes the connections that nothing is underway on; those on which a part of a request came, only if `all`. */
  closeIdle(all: boolean): void {
    for (const { socket, underway } of this.connections.values()) {
      if (underway.length === 0 && (all || socket.bytesRead === 0)) socket.destroy()
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

  private begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.underway.push(response)
    if (this.isLeaving) response.shouldKeepAlive = false
    let isWorking = false
    let isOver = false
    const work = () => {
      if (isOver) return
      isWorking = true
      this.working++
      this.connections.work(connection)
    }
    const end = () => {
      isOver = true
      if (!isWorking) return
      isWorking = false
      this.working--
      this.connections.rest(connection)
    }
    // Who takes long to send a body keeps nobody busy meanwhile.
    // Each of these comes once: `once` would make two functions more for every request.
    if (hasBody(request)) request.on("end", work)
    else work()
    response.on("prefinish", () => {
      end()
      if (connection.socket.writableLength > 0) this.unfetched.set(response, performance.now())
    })
    response.on("close", () => {
      end()
      connection.underway.splice(connection.underway.indexOf(response), 1)
      this.unfetched.delete(response)
      // Its head may have said otherwise, before the server began to leave.
      if (this.isLeaving && connection.underway.length === 0) connection.socket.destroySoon()
    })
  }

  /** Lets those go who do not fetch their answers. */
  private look(): void {
    const since = performance.now() - FETCH_TIME
    for (const [response, at] of this.unfetched) if (at < since) response.socket?.destroy()
  }
}
