/** What a board says of counts: by the numbers, with what needs attention first, on the maps of levels or in a list, and dark at night. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { byAttention, isNight, mapLevels, needsAttention, pressingLevel } from "../src/browser/board/board.ts"
import { EMPTY } from "../src/browser/live/counts.ts"

const LEVELS = ["none", "normal", "warning", "full", "over"] as const
const place = Arbitrary.map(
  Arbitrary.all([integer(0, 20), integer(0, 20), anyOf(LEVELS), integer(-2, 2)]),
  ([inside, capacity, level, floor]) => ({
    name: "Hall",
    // Zero stands for none here: a capacity is 1 at least.
    count: { ...EMPTY, inside, level, capacity: capacity === 0 ? undefined : capacity },
    lineage: [{ id: 1, name: "Hall", level: floor }] as never
  })
)
const places = Arbitrary.array(place, { maxLength: 12 })

describe("what a board says of a place", () => {
  it.prop("has those that need attention first, each by how full they are", { places }, ({ places }) => {
    const ordered = byAttention(places)
    assert.sameMembers([...ordered], [...places])
    const first = ordered.findIndex((one) => !needsAttention(one))
    assert.isTrue(first < 0 || ordered.slice(first).every((one) => !needsAttention(one)))
  })

  it.prop("is on the maps of its levels, the most pressing one first", { places }, ({ places }) => {
    const levels = mapLevels(places)
    const pressing = pressingLevel(places)
    assert.deepStrictEqual(
      levels,
      [...levels].sort((a, b) => a - b)
    )
    if (pressing === undefined) assert.isFalse(places.some(needsAttention))
    else assert.include(levels, pressing)
  })

  it("is in a list where there are too many levels, or too many places on one of them", () => {
    const many = (count: number, levelOf: (nth: number) => number) =>
      mapLevels(
        Array.from({ length: count }, (_, id) => ({
          name: "",
          count: EMPTY,
          lineage: [{ id, name: "", level: levelOf(id) }] as never
        }))
      )
    assert.deepStrictEqual(
      many(61, () => 0),
      []
    )
    assert.deepStrictEqual(
      many(40, (nth) => nth),
      []
    )
    assert.deepStrictEqual(
      many(16, (nth) => nth % 8),
      [0, 1, 2, 3, 4, 5, 6, 7]
    )
  })

  it("is dark from 20:00 to 7:00", () => {
    const dark = ["19:59", "20:00", "00:00", "06:59", "07:00"].map((time) => isNight(`2026-11-28T${time}`))
    assert.deepStrictEqual(dark, [false, true, true, true, false])
  })
})
