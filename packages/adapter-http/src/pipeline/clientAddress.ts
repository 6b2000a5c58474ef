/** Finds the network that a request came from. Rate limits of requests without valid credentials are by network. */
import { parseAddress } from "@sojourn/core"
import * as IpNetwork from "effect/net/IpNetwork"
import * as Option from "effect/Option"
import type { RequestHead } from "./requestHead.ts"

/** The remote address of a request on Node. On other platforms it is unknown. */
interface NodeSource {
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

const IPV4_MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/**
 * The network of an address: an IPv4 address itself, and the network of so many bits of an IPv6 address. A client
 * that has one address has all of its network of 64 bits. A text that is no address is returned as it is.
 */
export const networkOf = (address: string, bits = 64): string => {
  const text = address.replace(IPV4_MAPPED, "").replace(/%.*$/, "")
  if (!text.includes(":")) return text
  return Option.match(parseAddress(text), {
    onNone: () => text,
    onSome: (ip) => IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, bits))
  })
}

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const IPV6_IN_BRACKETS = /^\[([\da-f]*:[\da-f:.]+)\](?::\d{1,5})?$/i

/** Without the port and the brackets that some proxies write. Without brackets, what follows an IPv6 address is a part of it. */
const withoutPort = (entry: string): string => entry.replace(IPV4_WITH_PORT, "$1").replace(IPV6_IN_BRACKETS, "$1")

/**
 * The address that a request came from. Every proxy appends the address of its client to `X-Forwarded-For`. So the entry of the first of
 * `proxies` trusted proxies is so many entries from the end; entries before it may be forged by the client. A request that did not
 * come through all of them has the address of its connection.
 */
export const originOf = (remote: string, forwardedFor: string | undefined, proxies: number): string => {
  if (proxies === 0 || forwardedFor === undefined) return remote
  const entries = forwardedFor.split(",")
  const entry = entries[entries.length - proxies]
  if (entry === undefined) return remote
  const address = withoutPort(entry.trim())
  return Option.isNone(parseAddress(address)) ? remote : address
}

/** The network that a request came from, behind so many trusted proxies. */
export const clientNetwork = ({ headers, source }: RequestHead, proxies: number, bits?: number): string =>
  networkOf(
    originOf((source as NodeSource).socket?.remoteAddress ?? "nowhere", headers["x-forwarded-for"], proxies),
    bits
  )
