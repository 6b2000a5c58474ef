/** Probes (health, metrics), which monitoring must reach under overload too. */
import { Effect } from "effect"
import { ServeError } from "effect/http/HttpServerError"
import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** Whether a URL is a probe (health, metrics), which is answered under overload too. */
export const isProbe = (url: string | undefined): boolean =>
  url === "/health/ready" || url === "/health/live" || url === "/metrics"

const fromProbePort = new WeakSet<object>()

/** Whether a request came over the second port. */
export const isFromProbePort = (request: object): boolean => fromProbePort.has(request)

/**
 * Answers `/health/live`, `/health/ready` and `/metrics`, and nothing else, on a second port while the scope is open.
 *
 * Under overload new connections to the main port may wait for seconds to be accepted, and monitoring would take the
 * server for dead. The second port has a queue of its own.
 */
export const listenForProbes = (
  listener: (request: http.IncomingMessage, response: http.ServerResponse) => void,
  address: { readonly host: string; readonly port: number }
) =>
  Effect.acquireRelease(
    Effect.callback<http.Server, ServeError>((resume) => {
      const probes = http.createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
        if (isProbe(request.url)) {
          fromProbePort.add(request)
          listener(request, response)
        } else response.writeHead(404, { "content-length": "0" }).end()
      })
      // An error after listening is about a single connection, and resuming again has no effect.
      probes.on("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
      probes.listen(address, () => resume(Effect.succeed(probes)))
    }),
    (probes) =>
      Effect.sync(() => {
        probes.close()
        probes.closeAllConnections()
      })
  ).pipe(
    Effect.tap((probes) => {
      const { address, family, port } = probes.address() as AddressInfo
      const host = family === "IPv6" ? `[${address}]` : address
      return Effect.logInfo(`health and metrics are answered on http://${host}:${port}`)
    })
  )
