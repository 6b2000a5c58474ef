/** A TCP proxy that injects network faults: between clients and a server, or a server and its database. */
import * as net from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/**
 * The faults of a proxy:
 *
 * - `pass`: none.
 * - `delay`: every chunk arrives later, in both directions.
 * - `cut`: only half of a request's chunk arrives, then the connection is reset.
 * - `lose answers`: requests arrive, and the connection is reset instead of forwarding the answer.
 * - `black hole`: connections are accepted, and no data is forwarded.
 */
export type Mode =
  | { readonly _tag: "pass" }
  | { readonly _tag: "delay"; readonly milliseconds: number }
  | { readonly _tag: "cut"; readonly when: () => boolean }
  | { readonly _tag: "lose answers"; readonly when: () => boolean }
  | { readonly _tag: "black hole" }

export const PASS = { _tag: "pass" } as const satisfies Mode

/** A TCP proxy between a client and a server, with injected faults. */
export interface TcpProxy {
  readonly port: number
  readonly set: (mode: Mode) => void
  /** Sets the target of new connections. */
  readonly leadTo: (port: number) => void
  /** Closes the listener: new connections are refused, and existing ones are reset. */
  readonly refuse: () => Promise<void>
  readonly listen: () => Promise<void>
  /**
   * Closes the server's side of all connections and leaves the client's side open: the client never receives data or
   * an end on them.
   */
  readonly leaveHalfOpen: () => void
  readonly close: () => Promise<void>
}

interface Wire {
  readonly client: net.Socket
  readonly server: net.Socket
  isDead: boolean
  /** Per direction, resolves when the last delayed chunk was forwarded, so that chunks stay in order. */
  readonly arrived: Record<"client" | "server", Promise<void>>
}

/** Starts a proxy on a free port of the loopback address. */
export const tcpProxy = async (target: number): Promise<TcpProxy> => {
  let mode: Mode = PASS
  let lead = target
  const wires = new Set<Wire>()

  const reset = ({ client, server }: Wire) => {
    client.resetAndDestroy()
    server.resetAndDestroy()
  }

  const forward = (wire: Wire, to: "client" | "server", piece: Buffer) => {
    const latency = mode._tag === "delay" ? pause(mode.milliseconds) : undefined
    wire.arrived[to] = wire.arrived[to].then(async () => {
      await latency
      if (!wire.isDead && !wire[to].destroyed) wire[to].write(piece)
    })
  }

  const request = (wire: Wire, piece: Buffer) => {
    if (mode._tag === "black hole") wire.isDead = true
    if (mode._tag === "cut" && mode.when()) {
      wire.server.write(piece.subarray(0, piece.length >> 1), () => reset(wire))
      return
    }
    forward(wire, "server", piece)
    if (mode._tag === "lose answers" && mode.when()) {
      wire.server.removeAllListeners("data").once("data", () => reset(wire))
    }
  }

  const answer = (wire: Wire, piece: Buffer) => {
    if (mode._tag === "black hole") wire.isDead = true
    forward(wire, "client", piece)
  }

  const accept = (client: net.Socket) => {
    const server = net.connect(lead, "127.0.0.1")
    const arrived = { client: Promise.resolve(), server: Promise.resolve() }
    const wire: Wire = { client, server, isDead: mode._tag === "black hole", arrived }
    wires.add(wire)
    for (const socket of [client, server]) socket.setNoDelay(true).on("error", () => {})
    client.on("data", (piece) => request(wire, piece))
    server.on("data", (piece) => answer(wire, piece))
    client.on("close", () => {
      wires.delete(wire)
      server.destroy()
    })
    server.on("close", () => wire.isDead || client.destroy())
  }

  let listener: net.Server
  const listenOn = (wanted: number) =>
    new Promise<number>((resolve, reject) => {
      listener = net.createServer(accept)
      listener.once("error", reject)
      listener.listen(wanted, "127.0.0.1", () => resolve((listener.address() as net.AddressInfo).port))
    })
  const refuse = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve())
      for (const wire of wires) reset(wire)
    })
  const port = await listenOn(0)
  return {
    port,
    set: (next) => void (mode = next),
    leadTo: (next) => void (lead = next),
    refuse,
    listen: async () => void (await listenOn(port)),
    leaveHalfOpen: () => {
      for (const wire of wires) {
        wire.isDead = true
        wire.server.destroy()
      }
    },
    close: refuse
  }
}
