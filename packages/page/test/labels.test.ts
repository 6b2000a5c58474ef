/** Where names stand on a map, without a browser. */
import { assert, describe, it } from "vitest"
import { type Outline, placeLabels } from "../src/browser/areas/labels.ts"
import { floorCounts } from "../src/browser/areas/useFloors.ts"
import { lineagesOf } from "../src/browser/organizations/lineages.ts"

const measure = (text: string) => text.length * 6
const outline = (left: number, top: number, width: number, height: number, inner = width): Outline => ({
  box: [left, top, left + width, top + height],
  label: { x: left + width / 2, y: top + height / 2, width: inner, height }
})
const place = (areas: ReadonlyArray<readonly [string, Outline]>) =>
  placeLabels({
    areas: areas.map(([name, outline]) => ({ name, outline })),
    window: [0, 0, 450, 300],
    measure,
    countWidth: 20
  })
const namesOf = (labels: ReturnType<typeof place>) =>
  labels.flatMap(({ lines, nth }) => (lines.length > 0 ? [nth] : []))

describe("names on a map", () => {
  it("stand inside, or beside with a line where they have no room, and the count stays inside", () => {
    const [count, beside] = place([["Bookshop", outline(100, 100, 40, 40)]]) as [any, any]
    assert.deepInclude(count, { lines: [], hasCount: true })
    assert.deepInclude(beside, { lines: ["Bookshop"], hasCount: false, from: [140, 120] })
    assert.deepInclude(place([["Hall", outline(100, 100, 80, 60)]])[0], { lines: ["Hall"] })
  })

  it("are there for each area, however crowded, and for one that its parts cover", () => {
    const crowd = Array.from(
      { length: 40 },
      (_, nth) => [`Room ${nth}`, outline(20 + (nth % 8) * 45, 20 + Math.floor(nth / 8) * 50, 44, 20)] as const
    )
    assert.lengthOf(new Set(namesOf(place(crowd))), 40)
    const covered = [
      ["Library", outline(50, 50, 200, 100, 0)],
      ["Ground floor", outline(50, 50, 200, 100)]
    ] as const
    assert.deepStrictEqual(namesOf(place(covered)).sort(), [0, 1])
    const kiosk = place([
      ["Town", outline(0, 0, 400, 300)],
      ["Kiosk", outline(200, 150, 0.4, 0.4)]
    ])
    assert.deepInclude(
      kiosk.find(({ nth }) => nth === 1),
      { lines: ["Kiosk"], hasCount: true }
    )
  })
})

describe("the counts of floors", () => {
  it("are those of the outermost places, without what spans several floors", () => {
    const places = [
      { id: 1, name: "Building", inside: 50 },
      { id: 2, name: "Ground", parentId: 1, level: 0, inside: 20 },
      { id: 3, name: "First", parentId: 1, level: 1, inside: 12 },
      { id: 4, name: "Room", parentId: 3, inside: 5 },
      { id: 5, name: "Kiosk", inside: 3 },
      { id: 6, name: "Roof", parentId: 1, level: 2, inside: 0 }
    ]
    const lineages = lineagesOf(places)
    const premises = places.map(({ id, inside }) => ({
      lineage: lineages.get(id) as any,
      count: { inside, level: id === 4 ? "over" : id === 1 ? "full" : "normal" } as any
    }))
    assert.deepStrictEqual(
      Object.fromEntries(floorCounts([{ lineage: [], count: { inside: 99 } as any }, ...premises])),
      {
        0: { inside: 23, needsAttention: false },
        1: { inside: 12, needsAttention: true },
        2: { inside: 0, needsAttention: false }
      }
    )
  })
})
