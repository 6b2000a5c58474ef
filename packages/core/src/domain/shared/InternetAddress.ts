/** Recognizes addresses that lead back into the operator's own network, so that a URL of a caller cannot reach it. */
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** An IPv4 or IPv6 address. */
export type InternetAddress = NetAddress.IpAddress

/** Reads a dotted quad or an IPv6 address without brackets and zone, in their standard forms alone. */
export const parseAddress = (text: string): Option.Option<InternetAddress> =>
  Result.getSuccess(NetAddress.ipFromString(text))

const SPECIAL = [
  "0.0.0.0/8", // unspecified, "this host"
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata address of most clouds
  "100.100.100.200/32", // metadata (Alibaba)
  "192.0.0.192/32", // metadata (Oracle)
  "168.63.129.16/32", // what Azure's platform answers at
  "224.0.0.0/4", // multicast
  "255.255.255.255/32", // broadcast
  "fe80::/10", // link-local
  "ff00::/8", // multicast
  // Local NAT64 (RFC 8215): where an IPv4 address stands is each network's own choice, so any of these may hide a special one.
  "64:ff9b:1::/48",
  "fd00:ec2::254/128", // metadata (Amazon)
  "fd20:ce::254/128" // metadata (Google)
].map(IpNetwork.fromStringUnsafe)

/** IPv6 networks whose addresses carry an IPv4 address: the byte where it begins, and the bits of each byte that are inverted. */
const CARRIERS = (
  [
    ["::ffff:0:0/96", 12, 0], // mapped
    ["::ffff:0:0:0/96", 12, 0], // translated
    ["::/96", 12, 0], // compatible: :: and the loopback ::1 carry addresses of 0.0.0.0/8
    ["64:ff9b::/96", 12, 0], // NAT64
    ["2002::/16", 2, 0], // 6to4
    ["2001::/32", 4, 0], // Teredo, its server
    ["2001::/32", 12, 0xff] // Teredo, its client
  ] as const
).map(([network, start, inverted]) => ({ network: IpNetwork.fromStringUnsafe(network), start, inverted }))

const carriedBy = (address: NetAddress.Ipv6Address): ReadonlyArray<NetAddress.Ipv4Address> => {
  const octets = NetAddress.ipv6ToOctets(address)
  return CARRIERS.filter(({ network }) => IpNetwork.contains(network, address)).map(({ start, inverted }) =>
    NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(octets.slice(start, start + 4), (octet) => octet ^ inverted))
  )
}

/** Whether an address is, or may lead to, the host itself, its local link or its cloud's metadata service. */
export const isSpecialAddress = (address: InternetAddress): boolean =>
  SPECIAL.some((network) => IpNetwork.contains(network, address)) ||
  (NetAddress.isIpv6Address(address) && carriedBy(address).some(isSpecialAddress))
