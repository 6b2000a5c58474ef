/** Which changes screen readers announce. */
import { assert, describe, it } from "vitest"
import { EMPTY, type Level } from "../src/browser/live/counts.ts"
import { announcedChanges } from "../src/browser/organizations/announcements.ts"

const premises = (placeId: number | undefined, inside: number, level: Level = "none") => ({
  placeId,
  name: "",
  polygons: [],
  lineage: [],
  count: { ...EMPTY, inside, level }
})

describe("what is read out", () => {
  it("is the count of the organization, and each premises with another level", () => {
    const before = [premises(undefined, 5), premises(1, 2, "normal"), premises(2, 3, "normal")]
    const after = [premises(undefined, 6), premises(1, 4, "full"), premises(2, 4, "normal"), premises(3, 1, "over")]
    assert.deepStrictEqual(announcedChanges(before, after), [after[0]!, after[1]!])
    assert.deepStrictEqual(announcedChanges(after, after), [])
  })
})
