import { assert, describe, it } from "@effect/vitest"
import { networkOf, originOf } from "../src/handlers/clientAddress.ts"

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
    [1, "192.0.2.1:80", "10.0.0.1"],
    [1, "2001:db8::1", "2001:db8::1"]
  ]
  for (const [proxies, forwarded, origin] of CASES) {
    it(`${origin} behind ${proxies} proxies that say ${forwarded ?? "nothing"}`, () =>
      assert.strictEqual(originOf("10.0.0.1", forwarded, proxies), origin))
  }

  it("is the network of an IPv6 address, and an IPv4 address however it is written", () => {
    assert.strictEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:0:ffff::2"))
    assert.notStrictEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:1::1"))
    assert.strictEqual(networkOf("::ffff:192.0.2.1"), "192.0.2.1")
    assert.strictEqual(networkOf("fe80::1%eth0"), networkOf("fe80::2"))
    assert.strictEqual(networkOf("nowhere"), "nowhere")
  })
})
