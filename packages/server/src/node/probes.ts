import * as Effect from "effect/Effect"
import { ServeError } from "effect/http/HttpServerError"
import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** What has to be answered above all when there is too much to do: whether the server lives, and what it does. */
export const isVital = (url: string | undefined): boolean =>
  url === "/health/ready" || url === "/health/live" || url === "/metrics"

/**
 * Answers `/health/live`, `/health/ready` and `/metrics` on another port too, and nothing else there, as long as the scope is open.
 *
 * Node takes one new connection from a socket each time that it has looked at all of its connections. Under overload those who
 * connect wait for seconds therefore, and whoever watches over the server would take it for dead. Here nobody stands before
 * them.
 */
export const listenForProbes = (server: http.Server, address: { readonly host: string; readonly port: number }) =>
  Effect.acquireRelease(
    Effect.callback<http.Server, ServeError>((resume) => {
      const probes = http.createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
        if (isVital(request.url)) server.emit("request", request, response)
        else response.writeHead(404, { "content-length": "0" }).end()
      })
      // One that comes later is of a single connection, and resumes nobody.
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
      return Effect.logInfo(`health and metrics are answered on http://${host}:${port} too`)
    })
  )
