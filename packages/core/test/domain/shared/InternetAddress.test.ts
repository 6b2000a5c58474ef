/** The parser of IP addresses, compared with the platform's parsers, and the addresses that count as special. */
import { isIP } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import { isSpecialAddress, parseAddress } from "../../../src/index.ts"
import { anyOf, oneOf } from "@sojourn/testing"
import { trials, words } from "../../trials.ts"

/** The bytes that the platform's URL parser reads from an address that is one for certain. */
const bytesOf = (text: string): ReadonlyArray<number> => {
  if (!text.includes(":")) return text.split(".").map(Number)
  const shortest = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const [head = "", tail] = shortest.split("::")
  const groups = (half: string) => (half === "" ? [] : half.split(":"))
  const [before, after] = [groups(head), groups(tail ?? "")]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
}

const group = anyOf(["", ...words("1.2.3.4 0 1 ffff FFFF 7f00 fe80 0000 00001 g a9fe 64 ff9b")])
const quad = Arbitrary.map(
  Arbitrary.array(anyOf(["0", "1", "127", "255", "256", "169", "254", "01", "", "1e1", "+1"]), {
    minLength: 3,
    maxLength: 5
  }),
  (parts) => parts.join(".")
)
const drawn = oneOf(
  quad,
  Arbitrary.map(Arbitrary.array(group, { minLength: 7, maxLength: 9 }), (groups) => groups.join(":")),
  Arbitrary.map(
    Arbitrary.all([Arbitrary.array(group, { maxLength: 5 }), Arbitrary.array(group, { maxLength: 4 })]),
    ([head, tail]) => `${head.join(":")}::${tail.join(":")}`
  ),
  Arbitrary.map(
    Arbitrary.all([Arbitrary.array(group, { maxLength: 6 }), quad, anyOf(["::", ":"])]),
    ([head, last, colon]) => `${head.join(":")}${colon}${last}`
  )
)

const readsAsPlatform = (text: string) => {
  const address = Option.getOrUndefined(parseAddress(text))
  assert.strictEqual(address !== undefined, isIP(text) !== 0, text)
  if (address === undefined) return
  const bytes = NetAddress.isIpv4Address(address) ? NetAddress.ipv4ToOctets(address) : NetAddress.ipv6ToOctets(address)
  assert.deepStrictEqual([...bytes], [...bytesOf(text)], text)
}

describe("an internet address", () => {
  it.prop(
    "is read as the platform reads it, in its standard forms alone",
    { drawn },
    ({ drawn }) => readsAsPlatform(drawn),
    trials(3000)
  )

  it("is none when a dotted quad is not its last part", () => {
    for (const text of ["1.2.3.4::", "127.0.0.1::", "127.0.0.1::1", "1:2.3.4.5::6"]) readsAsPlatform(text)
  })

  it("is none in forms that only lenient readers understand", () => {
    const lenient = [
      ...words(`
    127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 127.0.0.01 127.0.0.1. 1.2.3.4.5 : ::: 1::2::3
    1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 ::1%lo fe80::1%eth0 1:2:3:4:5:6:7::8 ::00001 ::g [::1] ::127.0.0.256 ::127.0.1
    1.2.3.4:80
  `),
      "",
      " ",
      "::1 ",
      " ::1",
      "１２７.0.0.1",
      "127。0。0。1"
    ]
    for (const text of lenient) assert.isTrue(Option.isNone(parseAddress(text)), text)
  })

  const SPECIAL = [
    ...words(`
    0.0.0.0 0.255.255.255 127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254 169.254.255.255 100.100.100.200
    192.0.0.192 168.63.129.16
  `)
  ]
  const ORDINARY = [
    ...words(`
    1.0.0.0 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.0 100.100.100.199 192.0.0.193 10.0.0.1 192.168.1.1
    172.16.0.1 8.8.8.8 93.184.216.34 255.255.255.254 168.63.129.15 168.63.129.17
  `)
  ]
  const hex = (quad: string, turned = 0) => {
    const [a, b, c, d] = quad.split(".").map((byte) => (Number(byte) ^ turned).toString(16).padStart(2, "0"))
    return `${a}${b}:${c}${d}`
  }
  const SERVER = hex("65.54.227.120")
  const CLIENT = hex("192.0.2.45", 0xff)
  const CARRIERS = words("::ffff: ::FFFF: 0:0:0:0:0:ffff: :: 64:ff9b:: 0064:ff9b:0:0:0:0:")
  const disguises = (quad: string) => [
    quad,
    ...CARRIERS.map((prefix) => prefix + quad),
    ...CARRIERS.map((prefix) => prefix + hex(quad)),
    `2002:${hex(quad)}::`,
    `2002:${hex(quad)}::1`,
    `2002:${hex(quad)}:ffff:ffff:ffff:ffff:ffff`,
    `2001:0:${SERVER}:8000:63bf:${hex(quad, 0xff)}`,
    `2001:0:${hex(quad)}:8000:63bf:${CLIENT}`
  ]
  const special = (text: string) => isSpecialAddress(Option.getOrThrow(parseAddress(text)))

  it("is special when it is loopback, link-local, unspecified or a metadata server, whatever its disguise", () => {
    for (const text of SPECIAL.flatMap(disguises)) assert.isTrue(special(text), text)
    const ipv6 = [
      "::",
      "::1",
      "0:0:0:0:0:0:0:1",
      "fe80::1",
      "FE80::",
      "febf:ffff::1",
      "fd00:ec2::254",
      "fd00:0ec2:0:0:0:0:0:254",
      ...words(`
        64:ff9b:1::7f00:1 64:ff9b:1:7f00:0:100:: 64:ff9b:1:7f:0:1:: 64:ff9b:1:0:7f:0:100:0 64:ff9b:1:: 64:ff9b:1::808:808
        64:ff9b:1:ffff:ffff:ffff:ffff:ffff
      `)
    ]
    for (const text of ipv6) assert.isTrue(special(text), text)
  })

  it("is ordinary else, whatever its disguise", () => {
    for (const text of ORDINARY.flatMap(disguises)) assert.isFalse(special(text), text)
    const ipv6 = [
      ...words(`
        2001:db8::1 fd00:ec2::253 fec0::1 fe7f::1 2606:4700::1111 2002:808:808::7f00:1 2003:7f00:1::1 2001:2:7f00:1::1
        2001:1:7f00:1::80ff:fffe 64:ff9b:2::7f00:1 64:ff9b:0:ffff::7f00:1 65:ff9b:1::7f00:1
      `),
      // Of a Teredo address the client's part alone is turned over.
      `2001:0:${hex("127.0.0.1", 0xff)}:8000:63bf:${CLIENT}`,
      `2001:0:${SERVER}:8000:63bf:${hex("127.0.0.1")}`
    ]
    for (const text of ipv6) assert.isFalse(special(text), text)
  })
})
