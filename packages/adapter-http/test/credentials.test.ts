/** The cache of bearer tokens that are read from `Authorization` headers: expiry, eviction and tokens with a common end. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Redacted } from "effect"
import type { RequestHead } from "../src/pipeline/requestHead.ts"
import { makeCredentials } from "../src/pipeline/credentials.ts"

const headOf = (authorization: string | undefined) => ({ headers: { authorization } }) as unknown as RequestHead

/** More than is remembered: in characters of 32 KiB each, and in what holds headers of a few characters. */
const FLOODS = {
  long: Array.from({ length: 300 }, (_, nth) => `Bearer ${String(nth).padEnd(32_768, "x")}`),
  short: Array.from({ length: 50_000 }, (_, nth) => `Bearer ${nth}`)
}

describe("the credentials of requests", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("are what follows the scheme, and empty where there are none", () => {
    const credentialOf = makeCredentials()
    const found = ["Bearer a.b", "bearer  c", "Basic d", "Bearer ", undefined].map((header) =>
      Redacted.value(credentialOf(headOf(header)))
    )
    assert.deepStrictEqual(found, ["a.b", "c", "", "", ""])
  })

  it("are cached while they are sent, and forgotten a minute after the last use", () => {
    const credentialOf = makeCredentials()
    const used = credentialOf(headOf("Bearer used"))
    const unused = credentialOf(headOf("Bearer unused"))
    for (let seconds = 0; seconds < 70; seconds += 10) {
      vi.advanceTimersByTime(10_000)
      assert.strictEqual(credentialOf(headOf("Bearer used")), used)
    }
    assert.notStrictEqual(credentialOf(headOf("Bearer unused")), unused)
  })

  it("are distinct when they end alike", () => {
    const credentialOf = makeCredentials()
    const end = "x".repeat(40)
    for (let pass = 0; pass < 3; pass++) {
      for (const begin of ["one", "other"]) {
        const credential = credentialOf(headOf(`Bearer ${begin}${end}`))
        assert.strictEqual(Redacted.value(credential), `${begin}${end}`)
      }
    }
  })

  it.for(Object.entries(FLOODS))("are forgotten for others when there are too many: %s", ([, flood]) => {
    const credentialOf = makeCredentials()
    const first = credentialOf(headOf("Bearer first"))
    for (const header of flood) credentialOf(headOf(header))
    assert.notStrictEqual(credentialOf(headOf("Bearer first")), first)
  })

  it("are not forgotten for what is none", () => {
    const credentialOf = makeCredentials()
    const first = credentialOf(headOf("Bearer first"))
    for (const header of FLOODS.long) credentialOf(headOf(header.slice(1)))
    assert.strictEqual(credentialOf(headOf("Bearer first")), first)
  })
})
