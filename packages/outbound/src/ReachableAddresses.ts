/** Decides which addresses the service connects to, so that servers that callers name do not lead into the operator's network. */
import { isSpecialAddress, parseAddress, type ServerAddress, type ServerPolicy } from "@sojourn/core"
import { Effect, Option } from "effect"
import { ServerUnreachable } from "./ServerUnreachable.ts"
import type { Resolve } from "./SystemResolver.ts"

/** The number of a name's addresses that are tried. A name may have thousands. */
const MAX_ADDRESSES = 8

/** Whether an address is special, or in a form that cannot be parsed. */
const isForbidden = (address: string): boolean =>
  Option.match(parseAddress(address), { onNone: () => true, onSome: isSpecialAddress })

const noAddress = () => new ServerUnreachable({ reason: "the server's name has no address" })

/**
 * Resolves the server's name to the addresses to connect to, at most 8. Without an allow list none of them may be special: a
 * name that has the machine's own address is refused with all its addresses.
 *
 * Connect to one of these addresses, and do not resolve the name again: it may change in between (DNS rebinding).
 */
export const reachableAddresses = Effect.fnUntraced(function* (
  server: Pick<ServerAddress<string>, "host">,
  policy: ServerPolicy<string>,
  resolve: Resolve
): Effect.fn.Return<ReadonlyArray<string>, ServerUnreachable> {
  const addresses = Option.isSome(parseAddress(server.host))
    ? [server.host]
    : yield* Effect.tryPromise({ try: (signal) => resolve(server.host, signal), catch: noAddress })
  if (addresses.length === 0) return yield* noAddress()
  if (policy.allow.length === 0 && addresses.some(isForbidden)) {
    return yield* new ServerUnreachable({
      reason: "the server's name stands for a loopback, link-local, multicast, unspecified or metadata address"
    })
  }
  return addresses.slice(0, MAX_ADDRESSES)
})
