import { isIP } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Option from "effect/Option"
import { type InternetAddress, isSpecialAddress, parseAddress } from "../../src/index.ts"
import { anyOf, integer, oneOf } from "../../src/testing/index.ts"
import { trials, words } from "../trials.ts"

/** The bytes that the platform's URL parser reads from an address that is one for certain. */
const bytesOf = (text: string): InternetAddress => {
  if (!text.includes(":")) return text.split(".").map(Number)
  const shortest = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const [head = "", tail] = shortest.split("::")
  const groups = (half: string) => (half === "" ? [] : half.split(":"))
  const [before, after] = [groups(head), groups(tail ?? "")]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
}

const group = anyOf([
  "1.2.3.4",
  "0",
  "1",
  "ffff",
  "FFFF",
  "7f00",
  "fe80",
  "0000",
  "00001",
  "g",
  "",
  "a9fe",
  "64",
  "ff9b"
])
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
  const bytes = Option.getOrUndefined(parseAddress(text))
  assert.strictEqual(bytes !== undefined, isIP(text) !== 0, text)
  if (bytes !== undefined) assert.deepStrictEqual([...bytes], [...bytesOf(text)], text)
}

describe("an internet address", () => {
  it.prop(
    "is read as the platform reads it, in its standard forms alone",
    { drawn },
    ({ drawn }) => readsAsPlatform(drawn),
    trials(5000)
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
    192.0.0.192
  `)
  ]
  const ORDINARY = [
    ...words(`
    1.0.0.0 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.0 100.100.100.199 192.0.0.193 10.0.0.1 192.168.1.1
    172.16.0.1 8.8.8.8 93.184.216.34 255.255.255.254
  `)
  ]
  const hex = (quad: string) => {
    const [a, b, c, d] = quad.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"))
    return `${a}${b}:${c}${d}`
  }
  const CARRIERS = words("::ffff: ::FFFF: 0:0:0:0:0:ffff: :: 64:ff9b:: 0064:ff9b:0:0:0:0:")
  const disguises = (quad: string) => [
    quad,
    ...CARRIERS.map((prefix) => prefix + quad),
    ...CARRIERS.map((prefix) => prefix + hex(quad))
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
      "fd00:0ec2:0:0:0:0:0:254"
    ]
    for (const text of ipv6) assert.isTrue(special(text), text)
  })

  it("is ordinary else, whatever its disguise", () => {
    for (const text of ORDINARY.flatMap(disguises)) assert.isFalse(special(text), text)
    for (const text of ["2001:db8::1", "fd00:ec2::253", "fec0::1", "fe7f::1", "2606:4700::1111"]) {
      assert.isFalse(special(text), text)
    }
  })

  it.prop(
    "of the whole networks 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16 and fe80::/10 is special",
    {
      network: anyOf(["0", "127", "169.254", "fe80", "febf", "fe9a"]),
      rest: Arbitrary.all([integer(0, 255), integer(0, 255), integer(0, 255)])
    },
    ({ network, rest: [b, c, d] }) => {
      const text = network.startsWith("fe")
        ? `${network}:${b.toString(16)}::${c.toString(16)}:${d.toString(16)}`
        : network.includes(".")
          ? `${network}.${c}.${d}`
          : `${network}.${b}.${c}.${d}`
      assert.isTrue(special(text), text)
    },
    trials(500)
  )
})
