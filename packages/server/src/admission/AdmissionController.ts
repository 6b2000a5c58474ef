import { corsHeaders, countOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Connection, Connections } from "./Connections.ts"
import { Backpressure } from "./Backpressure.ts"
import type { Incoming } from "../node/Incoming.ts"
import type { Standing } from "./metrics.ts"
import { isVital } from "../node/probes.ts"
import { Refusals } from "./DelayedRejections.ts"

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
 * Stands before everything else that a server does. It lets requests wait outside while there is enough to do, turns them away
 * when there is too much, before anything of them is looked at, knows which requests are underway, and lets whoever makes no use
 * of a connection go.
 */
export class Doorman {
  private readonly options: DoormanOptions
  private readonly connections: Connections
  /** Answers that were given and are not fetched, and since when. */
  private readonly unfetched = new Map<ServerResponse, number>()
  private readonly refusals: Refusals
  private readonly backpressure: Backpressure
  private working = 0
  private elsewhere = 0
  private isLeaving = false

  constructor(server: Server, options: DoormanOptions) {
    this.options = options
    this.connections = new Connections(options.maxConnections)
    this.refusals = new Refusals(corsHeaders(options.corsOrigins))
    this.backpressure = new Backpressure(() => this.working, options.maxInFlight)
    server.on("connection", (socket: Socket) => this.connected(socket))
    const looking = setInterval(() => this.look(), LOOK_AFTER).unref()
    server.once("close", () => clearInterval(looking))
  }

  /** How much is let in now. */
  get standing(): Standing {
    const { connections, backpressure, working, elsewhere } = this
    return { connections: connections.size, waiting: backpressure.size, working, elsewhere }
  }

  /** How many requests are underway. */
  get size(): number {
    let count = 0
    for (const { underway } of this.connections.values()) count += underway.length
    return count
  }

  /** Takes note of a request. False when it was turned away, and so answered. */
  admit(request: Incoming, response: ServerResponse): boolean {
    const connection = this.connections.of(request.socket)
    // It gave way meanwhile.
    if (connection === undefined) return true
    const waitsSince = this.backpressure.came(connection)
    const isFull = this.working >= this.options.maxInFlight
    if ((isFull && !isVital(request.url)) || connection.underway.length >= MOST_AHEAD) {
      countOverload(isFull ? "requests" : "requests sent ahead")
      this.refusals.refuse(request, response, waitsSince)
      return false
    }
    this.begin(connection, request, response)
    return true
  }

  /** From now on every answer says that its connection ends with it. */
  leave(): void {
    this.isLeaving = true
    this.refusals.leave()
    this.backpressure.leave()
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

  private begin(connection: Connection, request: Incoming, response: Guarded): void {
    connection.underway.push(response)
    if (this.isLeaving) response.shouldKeepAlive = false
    const pass = new Pass(this, connection)
    response[PASS] = pass
    request.admitted = pass
    // Who takes long to send a body keeps nobody busy meanwhile.
    if (hasBody(request)) request.whenWhole = pass
    else pass.work()
    // Each of these comes once: `once` would make two functions more for every request.
    response.on("prefinish", answered)
    response.on("close", closed)
  }

  /** Somebody begins to be worked for. */
  work(connection: Connection): void {
    this.working++
    this.connections.work(connection)
  }

  /** Nobody works for them any more. */
  rest(connection: Connection): void {
    this.working--
    this.connections.rest(connection)
  }

  /** A request begins to wait for another server: its connection is in use, and its place is free. */
  suspend(): void {
    this.working--
    this.elsewhere++
  }

  /** The wait is over. The request has a place again, beyond the bound if need be. */
  resume(): void {
    this.working++
    this.elsewhere--
  }

  /** The answer was given: it is to be fetched now. */
  answered(connection: Connection, response: ServerResponse): void {
    if (connection.socket.writableLength > 0) this.unfetched.set(response, performance.now())
  }

  /** The answer left, or there is nobody any more who wants it. */
  closed(connection: Connection, response: ServerResponse): void {
    const { underway, socket } = connection
    underway.splice(underway.indexOf(response), 1)
    this.unfetched.delete(response)
    if (underway.length > 0) return
    // Its head may have said otherwise, before the server began to leave.
    if (this.isLeaving) socket.destroySoon()
    else this.backpressure.answered(connection)
  }

  /** Lets those go who do not fetch their answers. */
  private look(): void {
    const since = performance.now() - FETCH_TIME
    for (const [response, at] of this.unfetched) if (at < since) response.socket?.destroy()
  }
}

/** What the doorman knows of a request that was let in. */
class Pass {
  private isWorking = false
  private isSuspended = false
  private isOver = false
  readonly doorman: Doorman
  readonly connection: Connection

  constructor(doorman: Doorman, connection: Connection) {
    this.doorman = doorman
    this.connection = connection
  }

  /** The request is there as a whole. */
  work(): void {
    if (this.isOver) return
    this.isWorking = true
    this.doorman.work(this.connection)
  }

  /** The request begins to wait for another server. */
  suspend(): void {
    if (!this.isWorking || this.isSuspended) return
    this.isSuspended = true
    this.doorman.suspend()
  }

  resume(): void {
    if (!this.isSuspended) return
    this.isSuspended = false
    this.doorman.resume()
  }

  /** It was answered, or needs no answer any more. */
  end(): void {
    this.resume()
    this.isOver = true
    if (!this.isWorking) return
    this.isWorking = false
    this.doorman.rest(this.connection)
  }
}

const PASS = Symbol("pass")

type Guarded = ServerResponse & { [PASS]?: Pass }

// Two functions for all requests: functions of its own for each would be more than all else that is known of it.
function answered(this: Guarded): void {
  const pass = this[PASS]!
  pass.end()
  pass.doorman.answered(pass.connection, this)
}

function closed(this: Guarded): void {
  const pass = this[PASS]!
  pass.end()
  pass.doorman.closed(pass.connection, this)
}
