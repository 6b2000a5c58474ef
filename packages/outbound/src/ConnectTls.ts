import type { ServerAddress, ServerPolicy } from "@sojourn/core"
import { Effect, type Scope } from "effect"
import type { TLSSocket } from "node:tls"
import { reachableAddresses } from "./ReachableAddresses.ts"
import type { ServerUnreachable } from "./ServerUnreachable.ts"
import { connect, secure } from "./Socket.ts"
import { makeSystemResolver, type Resolve } from "./SystemResolver.ts"
import { type InvalidCertificates, trusting } from "./TrustedAuthorities.ts"

/** Connects to a server by TLS. The connection closes with the scope. */
export type ConnectTls = (
  server: Pick<ServerAddress<string>, "host" | "port">,
  policy: ServerPolicy<string>
) => Effect.Effect<TLSSocket, ServerUnreachable, Scope.Scope>

/** What connections by TLS are made with. */
export interface ConnectTlsOptions {
  /** Certificates of authorities to trust besides those of Node, as PEM; each text may hold several. */
  readonly certificates?: ReadonlyArray<string> | undefined
  /** How names become addresses (default: the system's way). Each of the addresses is checked. */
  readonly resolve?: Resolve | undefined
}

/**
 * Makes TLS connections to servers that callers named: each of the name's addresses is checked, the connection uses one of them and no
 * other, and the certificate must be of a trusted authority and for the server's name. Whether the operator allows the server is
 * decided before. There is no timeout.
 */
export const makeConnectTls = Effect.fnUntraced(function* ({
  certificates = [],
  resolve = makeSystemResolver()
}: ConnectTlsOptions = {}): Effect.fn.Return<ConnectTls, InvalidCertificates> {
  const trust = yield* Effect.fromResult(trusting(certificates))
  return Effect.fnUntraced(function* (server, policy) {
    const socket = yield* connect(server, yield* reachableAddresses(server, policy, resolve))
    return yield* secure(socket, server.host, trust)
  })
})
