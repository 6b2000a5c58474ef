/** TCP and TLS connections to addresses that were checked before. */
import { parseAddress, type ServerAddress } from "@sojourn/core"
import { Effect, Equal, Option, type Scope } from "effect"
import type { LookupAddress } from "node:dns"
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net"
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls"
import { ServerUnreachable } from "./ServerUnreachable.ts"
import { wordsFor } from "./SocketErrors.ts"

const unreachable = (reason: string) => new ServerUnreachable({ reason })

/** How long the attempt at one of several addresses may take before the next is tried as well, in milliseconds. */
const NEXT_ADDRESS_DELAY_MS = 500

/** The socket is closed with the scope, at once, whatever is still to be sent or received. */
const owned = <S extends Socket>(open: () => S): Effect.Effect<S, ServerUnreachable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const socket = open()
        // Errors after the connection is there close the socket too, and are seen then.
        socket.on("error", () => {})
        return socket
      },
      catch: (error) => unreachable(wordsFor(error))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const until = (socket: Socket, event: "connect" | "secureConnect"): Effect.Effect<void, ServerUnreachable> =>
  Effect.callback((resume) => {
    const done = () => resume(Effect.void)
    const failed = (error: unknown) => resume(Effect.fail(unreachable(wordsFor(error))))
    const closed = () => resume(Effect.fail(unreachable("the connection was closed")))
    socket.once(event, done).once("error", failed).once("close", closed)
    return Effect.sync(() => socket.off(event, done).off("error", failed).off("close", closed))
  })

const withoutZone = (address: string) => parseAddress(address.replace(/%.*$/, ""))

/** Names are not looked up: what a name stands for was found, and checked, before. */
const knownAddresses =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_host, { all }, done) => {
    const found: Array<LookupAddress> = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (first === undefined) return done(new Error("no address"), "")
    return all === true ? done(null, found) : done(null, first.address, first.family)
  }

/** A TCP connection to the server at one of these addresses and at no other. Several are tried until one answers. */
export const connect = Effect.fnUntraced(function* (
  { host, port }: Pick<ServerAddress<string>, "host" | "port">,
  addresses: ReadonlyArray<string>
): Effect.fn.Return<Socket, ServerUnreachable, Scope.Scope> {
  const socket = yield* owned(() =>
    connectTcp({
      host,
      port,
      lookup: knownAddresses(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_DELAY_MS,
      noDelay: true
    })
  )
  yield* until(socket, "connect")
  const reached = withoutZone(socket.remoteAddress ?? "")
  const isChecked = Option.isSome(reached) && addresses.some((address) => Equal.equals(withoutZone(address), reached))
  return isChecked ? socket : yield* unreachable("another address answered")
})

/**
 * TLS over this connection. The certificate must lead to a trusted authority and be for the server's own name, or for the
 * address when the URL has one: there is no way not to check it, `NODE_TLS_REJECT_UNAUTHORIZED` neither.
 */
export const secure = Effect.fnUntraced(function* (
  socket: Socket,
  host: string,
  trust: SecureContext
): Effect.fn.Return<TLSSocket, ServerUnreachable, Scope.Scope> {
  const secured = yield* owned(() =>
    connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: trust,
      rejectUnauthorized: true
    })
  )
  yield* until(secured, "secureConnect")
  return secured
})
