/** Where devices count, and what is around it that none of them does. */
import { assert, describe, it } from "@effect/vitest"
import { countedBy, uncountedAround } from "../src/browser/devices/premises.ts"
import { lineagesOf } from "../src/browser/organizations/lineages.ts"
import { WHOLE } from "../src/browser/organizations/model.ts"

const lineages = lineagesOf([
  { id: 1, name: "Building" },
  { id: 2, name: "First floor", parentId: 1 },
  { id: 3, name: "Library", parentId: 2 },
  { id: 4, name: "Garden" }
])
const around = (chosen: ReadonlyArray<number>, counted: ReadonlyArray<number> = []) =>
  uncountedAround(new Set(chosen), new Set(counted), lineages)

describe("what is around the premises of a device", () => {
  it("is named where neither it nor another device counts it, the organization last", () => {
    assert.deepStrictEqual(around([3]), [2, 1, WHOLE])
    assert.deepStrictEqual(around([3, 4], [WHOLE]), [2, 1])
    assert.deepStrictEqual(around([3, 1, WHOLE], [2]), [])
    assert.deepStrictEqual(around([WHOLE]), [])
    assert.deepStrictEqual(around([]), [])
  })

  it("is not counted by displays, which show premises", () => {
    const premises = [{ organization: true as const }, { placeId: 3 }]
    assert.deepStrictEqual([...countedBy([{ premises }])], [WHOLE, 3])
    assert.deepStrictEqual([...countedBy([{ kind: "display", premises }])], [])
  })
})
