/** Tracks the open connections of a server, and evicts the longest idle one at the limit. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const CONNECTION = Symbol("connection")

type KnownSocket = Socket & { [CONNECTION]?: Connection }

/** Admission control's state of a connection. */
export class Connection {
  readonly socket: Socket
  /**
   * The responses of its requests, from the request's head until the response has been sent. There is one array for each connection
   * instead of one set for all: V8 allocates a set's table anew as it changes, and the old ones survive young-generation collections.
   */
  readonly openResponses: Array<ServerResponse> = []
  /** The number of its requests in flight: received completely, and not answered. */
  inFlight = 0
  /** Whether it is idle; then `previousIdle` and `nextIdle` link it in the list of idle connections. */
  isIdle = false
  previousIdle: Connection | undefined
  nextIdle: Connection | undefined

  /** The time of its pause by backpressure (`performance.now`), and the round that resumed it; cleared by its next request. */
  pausedSince: number | undefined
  resumedInRound: number | undefined

  constructor(socket: Socket) {
    this.socket = socket
  }
}

/**
 * The open connections of a server. At the limit a new connection evicts the longest idle one. A connection is idle while it has
 * no request in flight: none has arrived, one is incomplete, or the client does not read its answer. So clients that hang do not
 * prevent others from connecting.
 */
export class Connections {
  private readonly all = new Set<Connection>()
  /**
   * The ends of the list of idle connections, the longest idle one first. It is a linked list: V8 allocates a set anew whenever it
   * becomes empty, which would happen at every request while one client is served.
   */
  private firstIdle: Connection | undefined
  private lastIdle: Connection | undefined
  private readonly maxConnections: number

  constructor(maxConnections: number) {
    this.maxConnections = maxConnections
  }

  get size(): number {
    return this.all.size
  }

  /** Adds a connection. At the limit returns the evicted one: the longest idle connection, or the new one if none is idle. */
  open(socket: KnownSocket): Connection | undefined {
    const connection = new Connection(socket)
    let evicted: Connection | undefined
    if (this.all.size >= this.maxConnections) {
      evicted = this.firstIdle ?? connection
      this.remove(evicted)
      if (evicted === connection) return evicted
    }
    this.all.add(connection)
    socket[CONNECTION] = connection
    this.addIdle(connection)
    return evicted
  }

  /** The connection of a socket, or undefined after it was closed or evicted. */
  of(socket: KnownSocket): Connection | undefined {
    return socket[CONNECTION]
  }

  close(socket: Socket): void {
    const connection = this.of(socket)
    if (connection !== undefined) this.remove(connection)
  }

  /** Counts a request of the connection as in flight. */
  beginRequest(connection: Connection): void {
    if (connection.inFlight++ === 0) this.removeIdle(connection)
  }

  /** Ends a request that was in flight. */
  endRequest(connection: Connection): void {
    if (--connection.inFlight === 0 && this.of(connection.socket) === connection) this.addIdle(connection)
  }

  values(): Iterable<Connection> {
    return this.all.values()
  }

  private remove(connection: Connection): void {
    if (!this.all.delete(connection)) return
    delete (connection.socket as KnownSocket)[CONNECTION]
    this.removeIdle(connection)
  }

  private addIdle(connection: Connection): void {
    connection.isIdle = true
    connection.previousIdle = this.lastIdle
    if (this.lastIdle === undefined) this.firstIdle = connection
    else this.lastIdle.nextIdle = connection
    this.lastIdle = connection
  }

  private removeIdle(connection: Connection): void {
    // An evicted connection is not in the list, and a request of it may still begin.
    if (!connection.isIdle) return
    connection.isIdle = false
    const { previousIdle, nextIdle } = connection
    if (previousIdle === undefined) this.firstIdle = nextIdle
    else previousIdle.nextIdle = nextIdle
    if (nextIdle === undefined) this.lastIdle = previousIdle
    else nextIdle.previousIdle = previousIdle
    connection.previousIdle = undefined
    connection.nextIdle = undefined
  }
}
