/** The origin of a request behind trusted proxies (`X-Forwarded-For`), and the network that its address belongs to. */
import { assert, describe, it } from "@effect/vitest"
import { networkOf, originOf } from "../src/pipeline/requestHead.ts"

describe("where a request came from", () => {
  const CASES: ReadonlyArray<readonly [proxies: number, forwarded: string | undefined, origin: string]> = [
    [0, undefined, "10.0.0.1"],
    [0, "192.0.2.1", "10.0.0.1"],
    [1, undefined, "10.0.0.1"],
    [1, "192.0.2.1", "192.0.2.1"],
    [1, "203.0.113.9, 192.0.2.1", "192.0.2.1"],
    [1, "203.0.113.9,192.0.2.1 ", "192.0.2.1"],
    [2, "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    [2, "192.0.2.1", "10.0.0.1"],
    [1, "unknown", "10.0.0.1"],
    [1, "192.0.2.1, ", "10.0.0.1"],
    [1, "192.0.2.1:80", "192.0.2.1"],
    [1, "2001:db8::1", "2001:db8::1"],
    [1, "203.0.113.9:1, 192.0.2.1:65535", "192.0.2.1"],
    [1, "[2001:db8::1]:443", "2001:db8::1"],
    [1, "[2001:db8::1]", "2001:db8::1"],
    [1, "[::ffff:192.0.2.1]:4711", "::ffff:192.0.2.1"],
    [2, "203.0.113.9, [2001:DB8::1]:443 , 10.0.0.2:8080", "2001:DB8::1"],
    [2, "192.0.2.1:80", "10.0.0.1"],
    [0, "192.0.2.1:80", "10.0.0.1"]
  ]
  for (const [proxies, forwarded, origin] of CASES) {
    it(`${origin} behind ${proxies} proxies that say ${forwarded ?? "nothing"}`, () =>
      assert.strictEqual(originOf("10.0.0.1", forwarded, proxies), origin))
  }

  it("is the connection when the entry is an address with something else than a port", () => {
    const entries = `
      192.0.2.1: 192.0.2.1:http 192.0.2.1:123456 192.0.2.1:-1 192.0.2.1:80:80 192.0.2.1:80. 192.0.2.256:80 192.0.2:80
      192.0.2.01:80 1.192.0.2.1:80 :80 80 proxy:80 [2001:db8::1]: [2001:db8::1]:http [2001:db8::1]:123456 [2001:db8::1]443
      [2001:db8::1]:80:80 [2001:db8::1 2001:db8::1] 2001:db8::1]:80 [[2001:db8::1]] [[2001:db8::1]]:80 [2001:db8::1]:80]
      [192.0.2.1] [192.0.2.1]:80 [192.0.2.1:80] x[2001:db8::1] x[2001:db8::1]:80 [::]x [] []:80 [:] [g::1] [fe80::1%eth0]:80
      "[2001:db8::1]:80" 2001:db8:0:0:0:0:0:1:443 ::ffff:192.0.2.1:80 1[::1]:80 2001:[db8::1]`
    for (const entry of [...entries.trim().split(/\s+/), "192.0.2.1 :80", "[2001:db8::1] :80", "[ 2001:db8::1]"]) {
      assert.strictEqual(originOf("10.0.0.1", entry, 1), "10.0.0.1", entry)
    }
  })

  it("is the network of an IPv6 address, and an IPv4 address however it is written", () => {
    assert.strictEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:0:ffff::2"))
    assert.notStrictEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:1::1"))
    assert.strictEqual(networkOf("2001:db8::1", 48), networkOf("2001:db8:0:1::1", 48))
    assert.notStrictEqual(networkOf("2001:db8::1", 48), networkOf("2001:db8:1::1", 48))
    assert.strictEqual(networkOf("::ffff:192.0.2.1"), "192.0.2.1")
    assert.strictEqual(networkOf("fe80::1%eth0"), networkOf("fe80::2"))
    assert.strictEqual(networkOf("nowhere"), "nowhere")
  })
})
