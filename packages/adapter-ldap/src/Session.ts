import {
  type AuthenticationServerPolicy,
  type AuthenticationServerUrl,
  DirectoryTimeout,
  DirectoryUnreachable
} from "@sojourn/core"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { type Connection, converse } from "./Connection.ts"
import type { Resolve } from "./Options.ts"
import { addressesOf, requireReachable } from "./Reach.ts"
import { ResultCode } from "./Results.ts"
import type { Settings } from "./Settings.ts"
import { connect, secure } from "./Socket.ts"

/** What the operator chose, and the way to addresses. */
export interface Surroundings {
  readonly policy: AuthenticationServerPolicy
  readonly settings: Settings
  readonly resolve: Resolve
}

/** A server that may be reached, and where. */
export interface Destination {
  readonly server: AuthenticationServerUrl
  readonly addresses: ReadonlyArray<string>
}

type Unreached = DirectoryUnreachable | DirectoryTimeout

const within = <A, R>(
  duration: Duration.Duration,
  effect: Effect.Effect<A, DirectoryUnreachable, R>
): Effect.Effect<A, Unreached, R> =>
  Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(new DirectoryTimeout()) })

/** Asks whether the server may be reached, and finds where it is. */
export const locate = (
  server: AuthenticationServerUrl,
  { policy, settings, resolve }: Surroundings
): Effect.Effect<Destination, Unreached> =>
  Effect.andThen(
    requireReachable(server, policy),
    // Whose name leads nowhere was not reached: nobody was asked who could have been slow.
    Effect.map(addressesOf(server, policy, resolve), (addresses) => ({ server, addresses })).pipe(
      Effect.timeoutOrElse({
        duration: settings.limits.connect,
        orElse: () => Effect.fail(new DirectoryUnreachable({ reason: "its name was not resolved in time" }))
      })
    )
  )

/** Connects to the server where it was found. */
export const reach = (
  { server, addresses }: Destination,
  { settings }: Surroundings
): Effect.Effect<Socket, Unreached, Scope.Scope> => within(settings.limits.connect, connect(server, addresses))

/** What a server answers that has no TLS to offer. */
const HAS_NO_TLS: ReadonlyArray<number> = [
  ResultCode.protocolError,
  ResultCode.unavailableCriticalExtension,
  ResultCode.unavailable,
  ResultCode.unwillingToPerform
]

/** Asks an `ldap://` server for TLS, as its options say. False when it has none and need not have any. */
const negotiateTls = (
  socket: Socket,
  server: AuthenticationServerUrl,
  { settings }: Surroundings
): Effect.Effect<boolean, Unreached, Scope.Scope> => {
  const { startTls } = settings.of(server)
  if (startTls === "never") return Effect.succeed(false)
  return Effect.flatMap(converse(socket, settings.limits, 0), (connection) =>
    Effect.flatMap(connection.startTls, (code) => {
      if (code === ResultCode.success) return Effect.succeed(true)
      return startTls === "offered" && HAS_NO_TLS.includes(code)
        ? Effect.succeed(false)
        : Effect.fail(new DirectoryUnreachable({ reason: "the directory does not begin TLS" }))
    })
  )
}

/** Makes the connection as safe as the URL and the options say, before anything of anybody's is sent over it. */
export const protect = Effect.fnUntraced(function* (
  socket: Socket,
  server: AuthenticationServerUrl,
  surroundings: Surroundings
): Effect.fn.Return<TLSSocket | undefined, Unreached, Scope.Scope> {
  if (server.scheme === "ldap" && !(yield* negotiateTls(socket, server, surroundings))) return undefined
  const { limits, trust } = surroundings.settings
  return yield* within(limits.connect, secure(socket, server.host, trust))
})

/**
 * A conversation with the server: found, connected to and secured. It ends with its scope, or when the server says more than
 * `people` entries need.
 */
export const open = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  surroundings: Surroundings,
  people: number
): Effect.fn.Return<Connection, Unreached, Scope.Scope> {
  const destination = yield* locate(server, surroundings)
  const socket = yield* reach(destination, surroundings)
  const secured = yield* protect(socket, server, surroundings)
  return yield* converse(secured ?? socket, surroundings.settings.limits, people)
})
