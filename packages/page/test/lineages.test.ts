/** How places lie inside each other: levels in effect, the list as a tree, and the sums of parts. */
import { assert, describe, it } from "@effect/vitest"
import { positionOf, type PlaceRecord } from "@sojourn/core"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import { levelOf, lineagesOf, pathNameOf, rowsOf, sumsOfParts } from "../src/browser/organizations/lineages.ts"

interface Place {
  readonly id: number
  readonly name: string
  readonly level?: number
  readonly parentId?: number
  readonly inside: number
}

/** Up to 12 places, each of which may be a part of one before it. */
const places: Arbitrary.Arbitrary<ReadonlyArray<Place>> = Arbitrary.flatMap(integer(1, 12), (count) =>
  Arbitrary.map(
    Arbitrary.all(
      Array.from({ length: count }, (_, nth) =>
        Arbitrary.all([integer(0, nth), anyOf([undefined, -1, 0, 2]), integer(0, 9)])
      )
    ),
    (all) =>
      all.map(([parentId, level, inside], nth) => ({
        id: nth + 1,
        name: `${nth + 1}`,
        inside,
        ...(level !== undefined && { level }),
        ...(parentId > 0 && { parentId })
      }))
  )
)

const placed = (all: ReadonlyArray<Place>) => {
  const lineages = lineagesOf(all)
  return all.map(({ id, inside }) => ({ lineage: lineages.get(id)!, count: { inside } }))
}
const idsOf = (rows: ReturnType<typeof rowsOf<ReturnType<typeof placed>[number]>>) =>
  rows.map(({ place }) => place.lineage[0]!.id)

describe("places inside of each other", () => {
  it.prop("have the levels in effect that the server gives them", { all: places }, ({ all }) => {
    const lineages = lineagesOf(all)
    const records: Array<PlaceRecord> = []
    for (const { id, level, parentId } of all) {
      const position = positionOf({ level, parentId } as never, records)
      // More places above one another than the server takes.
      if (Result.isFailure(position)) return
      records.push({ id, ...position.success } as never)
      assert.strictEqual(levelOf(lineages.get(id)!), position.success.floor)
    }
  })

  it.prop("are listed as a tree: each once, after what it is a part of", { all: places }, ({ all }) => {
    const rows = rowsOf(placed(all), new Set())
    assert.sameMembers(
      idsOf(rows),
      all.map(({ id }) => id)
    )
    for (const [nth, { place, depth, position, siblings, isOpen }] of rows.entries()) {
      const [own, parent] = place.lineage
      assert.strictEqual(depth, place.lineage.length)
      assert.strictEqual(isOpen, all.some(({ parentId }) => parentId === own!.id) ? true : undefined)
      assert.isAtMost(position, siblings)
      const above = rows.slice(0, nth).findLast((row) => row.depth < depth)
      assert.strictEqual(above?.place.lineage[0]!.id, parent?.id)
    }
  })

  it.prop("leave out what is inside of a closed one, and nothing else", { all: places, nth: integer(0, 11) }, (it) => {
    const closed = it.all[it.nth % it.all.length]!.id
    const hidden = placed(it.all).filter(({ lineage }) => lineage.slice(1).some(({ id }) => id === closed))
    const rows = rowsOf(placed(it.all), new Set([closed]))
    assert.strictEqual(rows.length, it.all.length - hidden.length)
    assert.isFalse(rows.some(({ place: { lineage } }) => lineage.slice(1).some(({ id }) => id === closed)))
  })

  it.prop("have the sums of all their parts", { all: places }, ({ all }) => {
    const lineages = lineagesOf(all)
    const sums = sumsOfParts(placed(all))
    for (const { id } of all) {
      const parts = all.filter((one) => one.id !== id && lineages.get(one.id)!.some((around) => around.id === id))
      const sum = parts.reduce((sum, { inside }) => sum + inside, 0)
      assert.strictEqual(sums.get(id), parts.length === 0 ? undefined : sum)
    }
  })

  it("are listed below what is listed around them, and named with all that they are a part of", () => {
    const all = placed([
      { id: 1, name: "Building", inside: 0 },
      { id: 2, name: "Floor", parentId: 1, inside: 0 },
      { id: 3, name: "Room", parentId: 2, inside: 0 },
      { id: 4, name: "Orphan", parentId: 9, inside: 0 }
    ])
    assert.strictEqual(pathNameOf(all[2]!.lineage), "Building › Floor › Room")
    const rows = rowsOf([all[0]!, all[2]!, all[3]!], new Set())
    assert.deepStrictEqual(
      rows.map(({ depth }) => depth),
      [1, 2, 1]
    )
  })
})
