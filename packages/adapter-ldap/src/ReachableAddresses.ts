/**
 * Decides which addresses the service connects to. Organizations name the servers, and must not reach the operator's own network
 * through them.
 */
import {
  type AuthenticationServerPolicy,
  type AuthenticationServerUrl,
  type DirectoryUnreachable,
  isSpecialAddress,
  parseAddress,
  requireAllowed,
  type ServerAddress,
  type ServerPolicy
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { unreachable } from "./Failures.ts"
import type { Resolve } from "./Options.ts"

/** Fails unless the operator allows the service to reach the server. */
export const requireReachable = (
  server: AuthenticationServerUrl,
  policy: AuthenticationServerPolicy
): Effect.Effect<void, DirectoryUnreachable> =>
  Effect.fromResult(Result.mapError(requireAllowed(server, policy), ({ reason }) => unreachable(reason)))

/** The number of a name's addresses that are tried. A name may have thousands. */
const MOST_ADDRESSES = 8

/** Whether an address is special, or in a form that cannot be parsed. */
const isForbidden = (address: string): boolean =>
  Option.match(parseAddress(address), { onNone: () => true, onSome: isSpecialAddress })

/**
 * Resolves the server's name to the addresses to connect to, at most 8. Without an allow list none of them may be special: a
 * name that has the machine's own address is refused with all its addresses.
 *
 * The connection uses one of these addresses. The name is not resolved again, so it cannot change in between (DNS rebinding).
 */
export const addressesOf = Effect.fnUntraced(function* (
  server: Pick<ServerAddress<string>, "host">,
  policy: ServerPolicy<string>,
  resolve: Resolve
): Effect.fn.Return<ReadonlyArray<string>, DirectoryUnreachable> {
  const addresses = Option.isSome(parseAddress(server.host))
    ? [server.host]
    : yield* Effect.tryPromise({
        try: (signal) => resolve(server.host, signal),
        catch: () => unreachable("the server's name has no address")
      })
  if (addresses.length === 0) return yield* unreachable("the server's name has no address")
  if (policy.allow.length === 0 && addresses.some(isForbidden)) {
    return yield* unreachable(
      "the server's name stands for a loopback, link-local, multicast, unspecified or metadata address"
    )
  }
  return addresses.slice(0, MOST_ADDRESSES)
})
