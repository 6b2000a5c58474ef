/** The line of a run of all laws, which stands in an adapter's README. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { reportPassed } from "../src/laws/shared/report.ts"

const printed: Array<string> = []

describe("adapters", () => {
  beforeAll(() => {
    const log = vi.spyOn(console, "log").mockImplementation((line) => void printed.push(line))
    return () => log.mockRestore()
  })
  describe("mine: StayLog", () => {
    it("law 1", () => {})
    it("law 2", () => {})
  })
  describe("mine: PlaceStore", () => it("law 3", () => {}))
  describe("partly: StayLog", () => {
    it("law 1", () => {})
    it.skip("law 2", () => {})
  })
  for (const name of ["mine", "partly", "none"]) reportPassed(name, { seed: 7, runs: 100 })
})

afterAll(() => {
  assert.strictEqual(printed.length, 1)
  assert.match(
    printed[0]!,
    /^mine passes all 3 laws of the stores: @sojourn\/testing \d+\.\d+\.\d+, effect 4\.\d+\.\d+, seed 7, 100 runs of each generated law\.$/
  )
})
