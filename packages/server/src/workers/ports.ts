/**
 * The ports of a server with workers. Each worker has a listening socket of its own on them (SO_REUSEPORT), among which the system
 * distributes connections. Connections that the primary process accepts and hands over would be lost with a worker that dies before it
 * takes them: their clients would wait for ever.
 */
import * as Effect from "effect/Effect"
import { ServeError } from "effect/http/HttpServerError"
import { type AddressInfo, createServer } from "node:net"

export interface WorkerPorts {
  readonly port: number
  readonly metricsPort: number | undefined
}

const PORT = "SOJOURN_WORKER_PORT"
const METRICS_PORT = "SOJOURN_WORKER_METRICS_PORT"

/** The variables that tell a worker its ports. */
export const environmentOf = ({ port, metricsPort }: WorkerPorts): Readonly<Record<string, string>> => ({
  [PORT]: String(port),
  ...(metricsPort !== undefined && { [METRICS_PORT]: String(metricsPort) })
})

/** The ports of this worker. */
export const portsOfWorker = (): WorkerPorts => {
  const metricsPort = process.env[METRICS_PORT]
  return { port: Number(process.env[PORT]), metricsPort: metricsPort === undefined ? undefined : Number(metricsPort) }
}

/** Finds a free port for 0, and fails when a program listens on the port already: workers could share it unnoticed. */
export const freePort = (host: string, port: number): Effect.Effect<number, ServeError> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
    server.listen({ host, port }, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resume(Effect.succeed(port)))
    })
  })
