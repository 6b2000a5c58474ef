import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const CONNECTION = Symbol("connection")

type Known = Socket & { [CONNECTION]?: Connection }

/** What a server knows of one of its connections. */
export class Connection {
  readonly socket: Socket
  /**
   * Answers that have not left, of requests whose head was read. They are kept here and not in one set of all: sets of what lives
   * briefly, as V8 makes them, keep it from being collected while it is young.
   */
  readonly underway: Array<ServerResponse> = []
  /** Those of them that are being worked on: wholly there, and not answered yet. */
  working = 0
  /** Is it among those that rest? Then these are its neighbours there, whose rest began earlier and later. */
  isResting = false
  earlier: Connection | undefined
  later: Connection | undefined

  /** Since when it waits to be read from, by `performance.now`, until something comes; and the round in which it had its turn. */
  waitsSince: number | undefined
  turn: number | undefined

  constructor(socket: Socket) {
    this.socket = socket
  }
}

/**
 * The connections of a server. Of those that nobody works for it knows which rests longest: nothing came on it yet, or a part
 * of a request, or its answer is not fetched. It gives way when there are too many, so that whoever hangs keeps nobody out.
 */
export class Connections {
  private readonly all = new Set<Connection>()
  /**
   * Those that rest, in the order in which their rest began. They are a chain and not a set, as V8 makes a set anew whenever it
   * becomes empty, which it does for every request while one client is served.
   */
  private first: Connection | undefined
  private last: Connection | undefined
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get size(): number {
    return this.all.size
  }

  /** Takes a new connection in. Answers one that gives way to it, which may be the new one itself, when there is no room. */
  open(socket: Known): Connection | undefined {
    const connection = new Connection(socket)
    let evicted: Connection | undefined
    if (this.all.size >= this.most) {
      evicted = this.first ?? connection
      this.forget(evicted)
      if (evicted === connection) return evicted
    }
    this.all.add(connection)
    socket[CONNECTION] = connection
    this.enchain(connection)
    return evicted
  }

  /** The connection of a socket; none once it closed or gave way. */
  of(socket: Known): Connection | undefined {
    return socket[CONNECTION]
  }

  close(socket: Socket): void {
    const connection = this.of(socket)
    if (connection !== undefined) this.forget(connection)
  }

  /** Work for it begins. */
  work(connection: Connection): void {
    if (connection.working++ === 0) this.unchain(connection)
  }

  /** Work for it ended. */
  rest(connection: Connection): void {
    if (--connection.working === 0 && this.of(connection.socket) === connection) this.enchain(connection)
  }

  values(): Iterable<Connection> {
    return this.all.values()
  }

  private forget(connection: Connection): void {
    if (!this.all.delete(connection)) return
    delete (connection.socket as Known)[CONNECTION]
    this.unchain(connection)
  }

  private enchain(connection: Connection): void {
    connection.isResting = true
    connection.earlier = this.last
    if (this.last === undefined) this.first = connection
    else this.last.later = connection
    this.last = connection
  }

  private unchain(connection: Connection): void {
    // Work may begin for one that gave way.
    if (!connection.isResting) return
    connection.isResting = false
    const { earlier, later } = connection
    if (earlier === undefined) this.first = later
    else earlier.later = later
    if (later === undefined) this.last = earlier
    else later.earlier = earlier
    connection.earlier = undefined
    connection.later = undefined
  }
}
