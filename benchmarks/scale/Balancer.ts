import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** Shares connections out among servers, one after the other. It looks into nothing that passes. */
export interface Balancer {
  readonly port: number
  /** Where new connections lead from now on. Those that are there stay. */
  readonly leadTo: (ports: ReadonlyArray<number>) => void
  /** How many connections each port was given. */
  readonly given: ReadonlyMap<number, number>
}

const HERE = "127.0.0.1"

/** Joins two sockets until either of them ends. */
const join = (one: Socket, other: Socket) => {
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const) {
    from.on("error", () => {})
    from.on("close", () => to.destroy())
    from.pipe(to)
  }
}

/** A balancer in this process for the time of the scope, on a free port of the loopback address. */
export const makeBalancer: Effect.Effect<Balancer, never, Scope.Scope> = Effect.gen(function* () {
  let ports: ReadonlyArray<number> = []
  let turn = 0
  const given = new Map<number, number>()
  const sockets = new Set<Socket>()

  /** Leads a connection to the next server that takes it; a server that is gone refuses, and the next has its turn. */
  const lead = (client: Socket, left: number) => {
    const port = left > 0 ? ports[turn++ % ports.length] : undefined
    if (port === undefined) return void client.destroy()
    const server = connect({ host: HERE, port, noDelay: true })
    const refused = () => lead(client, left - 1)
    const gone = () => server.destroy()
    server.once("error", refused)
    client.once("close", gone)
    server.once("connect", () => {
      server.off("error", refused)
      client.off("close", gone)
      given.set(port, (given.get(port) ?? 0) + 1)
      join(client, server)
    })
  }

  const listener = createServer({ noDelay: true }, (client) => {
    sockets.add(client)
    client.on("error", () => {})
    client.once("close", () => sockets.delete(client))
    lead(client, ports.length)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void listener.listen(0, HERE, () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        listener.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo: (next) => {
      ports = next
      turn = 0
    },
    given
  }
})
