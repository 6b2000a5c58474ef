import {
  type AuthenticationServerPolicy,
  type AuthenticationServerUrl,
  DirectoryUnreachable,
  isSpecialAddress,
  parseAddress,
  requireAllowed
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Resolve } from "./Options.ts"

const unreachable = (reason: string) => new DirectoryUnreachable({ reason })

/** Fails unless the operator allows the service to reach the server. */
export const requireReachable = (
  server: AuthenticationServerUrl,
  policy: AuthenticationServerPolicy
): Effect.Effect<void, DirectoryUnreachable> =>
  Effect.fromResult(Result.mapError(requireAllowed(server, policy), ({ reason }) => unreachable(reason)))

/** How many of a name's addresses are tried. A name may have thousands, and each that refuses takes no time. */
const MOST_ADDRESSES = 8

/** Is it special, or in a form that hides what it is? */
const isForbidden = (address: string): boolean =>
  Option.match(parseAddress(address), { onNone: () => true, onSome: isSpecialAddress })

/**
 * The addresses to connect to: those that the server's name has now, 8 at most. Without a list of the operator's, none that
 * it has may be special: a name whose addresses include the machine's own is not one to be trusted with another of its addresses.
 *
 * What is connected to is one of these. The name is not asked for again, so that it cannot change its meaning in between.
 */
export const addressesOf = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  policy: AuthenticationServerPolicy,
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
