/** Tells addresses that lead back into the operator's own network, so that a URL of a caller cannot reach it. */
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** An IPv4 or IPv6 address as its bytes: 4 or 16 of them. */
export type InternetAddress = ReadonlyArray<number>

/** Reads a dotted quad or an IPv6 address without brackets and zone, in their standard forms alone. */
export const parseAddress = (text: string): Option.Option<InternetAddress> =>
  Option.map(Result.getSuccess(NetAddress.ipFromString(text)), (address) =>
    NetAddress.isIpv4Address(address) ? NetAddress.ipv4ToOctets(address) : NetAddress.ipv6ToOctets(address)
  )

type Network = readonly [prefix: InternetAddress, bits: number]

const SPECIAL_IPV4: ReadonlyArray<Network> = [
  [[0, 0, 0, 0], 8], // unspecified, "this host"
  [[127, 0, 0, 0], 8], // loopback
  [[169, 254, 0, 0], 16], // link-local, and the metadata address of most clouds
  [[100, 100, 100, 200], 32], // metadata (Alibaba)
  [[192, 0, 0, 192], 32], // metadata (Oracle)
  [[168, 63, 129, 16], 32], // what Azure's platform answers at
  [[224, 0, 0, 0], 4], // multicast
  [[255, 255, 255, 255], 32] // broadcast
]

const SPECIAL_IPV6: ReadonlyArray<Network> = [
  [[0xfe, 0x80], 10], // link-local
  [[0xff], 8], // multicast
  // Local NAT64 (RFC 8215): where an IPv4 address stands is each network's own choice, so any of these may hide a special one.
  [[0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48],
  [[0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128], // metadata (Amazon)
  [[0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128] // metadata (Google)
]

/** IPv6 networks whose addresses carry an IPv4 address: the byte where it begins, and the bits of each byte that are turned over. */
const CARRIERS: ReadonlyArray<readonly [network: Network, start: number, turned: number]> = [
  [[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96], 12, 0], // mapped
  [[[0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], 96], 12, 0], // translated
  [[[], 96], 12, 0], // compatible: :: and the loopback ::1 carry addresses of 0.0.0.0/8
  [[[0x00, 0x64, 0xff, 0x9b], 96], 12, 0], // NAT64
  [[[0x20, 0x02], 16], 2, 0], // 6to4
  [[[0x20, 0x01], 32], 4, 0], // Teredo, its server
  [[[0x20, 0x01], 32], 12, 0xff] // Teredo, its client
]

const isWithin =
  (address: InternetAddress) =>
  ([prefix, bits]: Network): boolean => {
    for (let bit = 0; bit < bits; bit++) {
      const mask = 128 >> (bit & 7)
      if (((address[bit >> 3] ?? 0) & mask) !== ((prefix[bit >> 3] ?? 0) & mask)) return false
    }
    return true
  }

/** Whether an address is, or may lead to, the host itself, its local link or its cloud's metadata service. */
export const isSpecialAddress = (address: InternetAddress): boolean => {
  if (address.length === 4) return SPECIAL_IPV4.some(isWithin(address))
  const isInside = isWithin(address)
  const carriesSpecial = CARRIERS.some(
    ([network, start, turned]) =>
      isInside(network) && isSpecialAddress(address.slice(start, start + 4).map((byte) => byte ^ turned))
  )
  return carriesSpecial || SPECIAL_IPV6.some(isInside)
}
