/**
 * TLS connections with the guards of directories, for other requests to servers that callers named, such as deliveries of
 * webhooks.
 */
import type { DirectoryUnreachable, ServerAddress, ServerPolicy } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { TLSSocket } from "node:tls"
import type { InvalidOptions, Options } from "./Options.ts"
import { addressesOf } from "./ReachableAddresses.ts"
import { settingsOf } from "./Settings.ts"
import { connect, secure } from "./Socket.ts"
import { makeSystemResolver } from "./SystemResolver.ts"

export { wordsFor } from "./SocketErrors.ts"

/** Connects to a server by TLS. The connection closes with the scope. */
export type ConnectTls = (
  server: Pick<ServerAddress<string>, "host" | "port">,
  policy: ServerPolicy<string>
) => Effect.Effect<TLSSocket, DirectoryUnreachable, Scope.Scope>

/**
 * Makes TLS connections to servers that callers named, with the guards of directories: each of the name's addresses is checked, the
 * connection uses one of them and no other, and the certificate must be of a trusted authority and for the server's name. Whether
 * the operator allows the server is decided before. There is no timeout.
 */
export const make = Effect.fnUntraced(function* ({
  certificates,
  resolve = makeSystemResolver()
}: Pick<Options, "certificates" | "resolve"> = {}): Effect.fn.Return<ConnectTls, InvalidOptions> {
  const { trust } = yield* Effect.fromResult(settingsOf({ certificates }))
  return Effect.fnUntraced(function* (server, policy) {
    const socket = yield* connect(server, yield* addressesOf(server, policy, resolve))
    return yield* secure(socket, server.host, trust)
  })
})
