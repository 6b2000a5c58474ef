/** Opens connections to which credentials may be sent: the server is allowed, resolved, connected and secured. */
import {
  type AuthenticationServerPolicy,
  type AuthenticationServerUrl,
  type DirectoryUnreachable,
  requireAllowed
} from "@sojourn/core"
import { connect, reachableAddresses, type Resolve, secure } from "@sojourn/outbound"
import { Effect, Result, type Scope } from "effect"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { type Connection, converse } from "./Connection.ts"
import { asDirectoryUnreachable, failAfter, type NoAnswer, unreachable } from "./Failures.ts"
import { ResultCode } from "./ResultCodes.ts"
import type { Settings } from "./Settings.ts"

/** The policy, settings and resolver that connections are made with. */
export interface ConnectionContext {
  readonly policy: AuthenticationServerPolicy
  readonly settings: Settings
  readonly resolve: Resolve
}

/** An allowed server and its addresses. */
export interface Destination {
  readonly server: AuthenticationServerUrl
  readonly addresses: ReadonlyArray<string>
}

/** Fails unless the operator allows the service to reach the server. */
export const requireReachable = (
  server: AuthenticationServerUrl,
  policy: AuthenticationServerPolicy
): Effect.Effect<void, DirectoryUnreachable> =>
  Effect.fromResult(Result.mapError(requireAllowed(server, policy), ({ reason }) => unreachable(reason)))

/** Checks the policy and resolves the server's addresses. */
export const locate = (
  server: AuthenticationServerUrl,
  { policy, settings, resolve }: ConnectionContext
): Effect.Effect<Destination, NoAnswer> =>
  Effect.andThen(
    requireReachable(server, policy),
    // A resolver timeout is `DirectoryUnreachable`, not `DirectoryTimeout`: no directory was asked.
    Effect.map(reachableAddresses(server, policy, resolve), (addresses) => ({ server, addresses })).pipe(
      asDirectoryUnreachable,
      Effect.timeoutOrElse({
        duration: settings.limits.connect,
        orElse: () => Effect.fail(unreachable("its name was not resolved in time"))
      })
    )
  )

/** Connects to one of the server's addresses. */
export const reach = (
  { server, addresses }: Destination,
  { settings }: ConnectionContext
): Effect.Effect<Socket, NoAnswer, Scope.Scope> =>
  connect(server, addresses).pipe(asDirectoryUnreachable, failAfter(settings.limits.connect))

/** The result codes of servers without TLS. */
const HAS_NO_TLS: ReadonlyArray<number> = [
  ResultCode.protocolError,
  ResultCode.unavailableCriticalExtension,
  ResultCode.unavailable,
  ResultCode.unwillingToPerform
]

/** Requests StartTLS as configured. Returns false when the server has no TLS and need not have any. */
const negotiateTls = (
  socket: Socket,
  server: AuthenticationServerUrl,
  { settings }: ConnectionContext
): Effect.Effect<boolean, NoAnswer, Scope.Scope> => {
  const { startTls } = settings.of(server)
  if (startTls === "never") return Effect.succeed(false)
  return Effect.flatMap(converse(socket, settings.limits, 0), (connection) =>
    Effect.flatMap(connection.startTls, (code) => {
      if (code === ResultCode.success) return Effect.succeed(true)
      return startTls === "offered" && HAS_NO_TLS.includes(code)
        ? Effect.succeed(false)
        : Effect.fail(unreachable("the directory does not begin TLS"))
    })
  )
}

/** Secures the connection as the URL and options require, before credentials are sent. Returns none for plaintext. */
export const protect = Effect.fnUntraced(function* (
  socket: Socket,
  server: AuthenticationServerUrl,
  context: ConnectionContext
): Effect.fn.Return<TLSSocket | undefined, NoAnswer, Scope.Scope> {
  if (server.scheme === "ldap" && !(yield* negotiateTls(socket, server, context))) return undefined
  const { limits, trust } = context.settings
  return yield* secure(socket, server.host, trust).pipe(asDirectoryUnreachable, failAfter(limits.connect))
})

/**
 * Opens a connection to the server: resolved, connected and secured. It closes with its scope, or when the server sends more
 * than `people` entries need.
 */
export const open = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  context: ConnectionContext,
  people: number
): Effect.fn.Return<Connection, NoAnswer, Scope.Scope> {
  const destination = yield* locate(server, context)
  const socket = yield* reach(destination, context)
  const secured = yield* protect(socket, server, context)
  return yield* converse(secured ?? socket, context.settings.limits, people)
})
