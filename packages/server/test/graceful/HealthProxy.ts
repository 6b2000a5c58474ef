/** The load balancer of the tests of rolling restarts, which relies on `/health/ready` alone. */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { makeAgent, send } from "../httpClient.ts"

/** The interval of readiness checks, in milliseconds. */
const INTERVAL = 50

/**
 * A reverse proxy that distributes requests over the servers that are ready, with keep-alive connections. It does not
 * retry: clients see every refusal and every lost answer of a server.
 */
export interface HealthProxy {
  readonly baseUrl: string
  /** Sets the servers. Each is used once it is ready. */
  readonly leadTo: (ports: ReadonlyArray<number>) => void
  readonly isReady: (port: number) => boolean
  /** The number of requests that each server received. */
  readonly forwarded: ReadonlyMap<number, number>
  readonly close: () => Promise<void>
}

export const healthProxy = async (): Promise<HealthProxy> => {
  let ports: ReadonlyArray<number> = []
  let turn = 0
  const ready = new Set<number>()
  const forwarded = new Map<number, number>()
  const ending = new AbortController()
  const agent = makeAgent()

  const isHealthy = (port: number) =>
    send(`http://127.0.0.1:${port}`, { agent, path: "/health/ready" }).then(
      ({ status }) => status === 200,
      () => false
    )
  const polling = (async () => {
    while (!ending.signal.aborted) {
      for (const port of ports) {
        if (await isHealthy(port)) ready.add(port)
        else ready.delete(port)
      }
      await pause(INTERVAL)
    }
  })()

  const server = http.createServer((request, response): void => {
    const usable = ports.filter((port) => ready.has(port))
    const port = usable[turn++ % usable.length]
    const fail = () => void response.destroy()
    if (port === undefined) return fail()
    forwarded.set(port, (forwarded.get(port) ?? 0) + 1)
    const { headers, method, url } = request
    const passed = http.request({ agent, host: "127.0.0.1", port, headers, method, path: url }, (answer) => {
      // Hop-by-hop headers are not forwarded.
      const { connection: _, "keep-alive": __, ...rest } = answer.headers
      response.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(response)
      answer.on("error", fail)
    })
    passed.on("error", fail)
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (next) => {
      ports = next
    },
    isReady: (port) => ready.has(port),
    forwarded,
    close: async () => {
      ending.abort()
      await polling
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    }
  }
}
