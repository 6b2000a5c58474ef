/** The cache of bearer tokens that are read from `Authorization` headers: expiry, eviction and tokens with a common end. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Redacted } from "effect"
import type { RequestHead } from "../src/pipeline/requestHead.ts"
import { makeCredentials } from "../src/pipeline/admission.ts"

const headOf = (authorization: string | undefined) => ({ headers: { authorization } }) as unknown as RequestHead

/** More than is kept: in characters of 32 KiB each, and in what holds headers of a few characters. */
const FLOODS = {
  long: Array.from({ length: 600 }, (_, nth) => `Bearer ${String(nth).padStart(32_768, "x")}`),
  short: Array.from({ length: 90_000 }, (_, nth) => `Bearer ${nth}`)
}

/** Finds the token of a header; `accept` keeps it as well. */
const setUp = () => {
  const { find, keep } = makeCredentials()
  const tokenOf = (header: string | undefined) => find(headOf(header)).token
  const accept = (header: string) => {
    const credential = find(headOf(header))
    keep(credential)
    return credential.token
  }
  return { tokenOf, accept }
}

describe("the credentials of requests", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("are what follows the scheme, and empty where there are none", () => {
    const { tokenOf } = setUp()
    const headers = ["Bearer a.b", "bearer  c", "Basic d", "Bearer ", undefined]
    assert.deepStrictEqual(
      headers.map((header) => Redacted.value(tokenOf(header))),
      ["a.b", "c", "", "", ""]
    )
  })

  it("are kept while they are sent, and forgotten a minute after the last use", () => {
    const { accept, tokenOf } = setUp()
    const used = accept("Bearer used")
    const unused = accept("Bearer unused")
    for (let seconds = 0; seconds < 70; seconds += 10) {
      vi.advanceTimersByTime(10_000)
      assert.strictEqual(accept("Bearer used"), used)
    }
    assert.notStrictEqual(tokenOf("Bearer unused"), unused)
  })

  it("are distinct when they end alike", () => {
    const { accept } = setUp()
    const end = "x".repeat(40)
    for (let pass = 0; pass < 3; pass++) {
      for (const begin of ["one", "other"]) {
        assert.strictEqual(Redacted.value(accept(`Bearer ${begin}${end}`)), `${begin}${end}`)
      }
    }
  })

  it.for(Object.entries(FLOODS))("are forgotten for others when too many are accepted: %s", ([, flood]) => {
    const { accept, tokenOf } = setUp()
    const first = accept("Bearer first")
    for (const header of flood) accept(header)
    assert.notStrictEqual(tokenOf("Bearer first"), first)
  })

  it.for(Object.entries(FLOODS))("are not forgotten for others that are refused: %s", ([, flood]) => {
    const { accept, tokenOf } = setUp()
    const first = accept("Bearer first")
    for (const header of flood) tokenOf(header)
    assert.strictEqual(tokenOf("Bearer first"), first)
  })
})
