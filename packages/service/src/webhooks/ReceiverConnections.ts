/** The connection pool of webhook deliveries. It reuses a connection only while the check of its address is recent. */
import * as http from "node:http"
import type { Duplex } from "node:stream"

/** How long a connection stays open without a request, in milliseconds: below the 5 seconds after which many servers close it. */
const IDLE = 4_000

/** How long a connection is used again, in milliseconds. After it the receiver's name is resolved and checked again. */
const REUSE_TIMEOUT_MS = 60_000

type Connected = (error: Error | null, socket?: Duplex) => void

/** A request, and what makes a connection for it where none is free. */
export interface ConnectingOptions extends http.RequestOptions {
  readonly connect: (done: Connected) => void
}

/** Keeps connections to receivers open for further requests, by host and port. A connection has one request at a time. */
export class ReceiverConnections extends http.Agent {
  private readonly connectedAt = new WeakMap<Duplex, number>()

  constructor() {
    super({ keepAlive: true, timeout: IDLE })
  }

  override createConnection(options: http.ClientRequestArgs, callback?: (error: Error | null, stream: Duplex) => void) {
    const { connect } = options as ConnectingOptions
    connect((error, socket) => {
      if (socket !== undefined) this.connectedAt.set(socket, performance.now())
      callback?.(error, socket!)
    })
    return undefined
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const age = performance.now() - (this.connectedAt.get(socket) ?? 0)
    // The method answers whether the connection may be kept, unlike its type.
    return age < REUSE_TIMEOUT_MS && (super.keepSocketAlive(socket) as unknown as boolean)
  }

  /** Closes the connections to a receiver that no request uses. */
  closeFree(receiver: { readonly host: string; readonly port: number }): void {
    for (const socket of this.freeSockets[this.getName(receiver)] ?? []) socket.destroy()
  }
}
