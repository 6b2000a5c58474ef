import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** What a server knows of one of its connections. */
export interface Connection {
  readonly socket: Socket
  /**
   * Answers that have not left, of requests whose head was read. They are kept here and not in one set of all: sets of what lives
   * briefly, as V8 makes them, keep it from being collected while it is young.
   */
  readonly underway: Array<ServerResponse>
  /** Those of them that are being worked on: wholly there, and not answered yet. */
  working: number
}

/**
 * The connections of a server. Of those that nobody works for it knows which rests longest: nothing came on it yet, or a part
 * of a request, or its answer is not fetched. It gives way when there are too many, so that whoever hangs keeps nobody out.
 */
export class Connections {
  private readonly all = new Map<Socket, Connection>()
  /** In the order in which their rest began. */
  private readonly resting = new Set<Connection>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get size(): number {
    return this.all.size
  }

  /** Takes a new connection in. Answers one that gives way to it, which may be the new one itself, when there is no room. */
  open(socket: Socket): Connection | undefined {
    const connection = { socket, underway: [], working: 0 }
    let evicted: Connection | undefined
    if (this.all.size >= this.most) {
      evicted = this.resting.values().next().value ?? connection
      this.forget(evicted)
      if (evicted === connection) return evicted
    }
    this.all.set(socket, connection)
    this.resting.add(connection)
    return evicted
  }

  /** The connection of a socket; none once it closed or gave way. */
  of(socket: Socket): Connection | undefined {
    return this.all.get(socket)
  }

  close(socket: Socket): void {
    const connection = this.all.get(socket)
    if (connection !== undefined) this.forget(connection)
  }

  /** Work for it begins. */
  work(connection: Connection): void {
    if (connection.working++ === 0) this.resting.delete(connection)
  }

  /** Work for it ended. */
  rest(connection: Connection): void {
    if (--connection.working === 0 && this.all.has(connection.socket)) this.resting.add(connection)
  }

  values(): Iterable<Connection> {
    return this.all.values()
  }

  private forget(connection: Connection): void {
    this.all.delete(connection.socket)
    this.resting.delete(connection)
  }
}
