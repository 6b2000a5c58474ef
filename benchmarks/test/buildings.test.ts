/** A small building, made and changed: all changes are accepted. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { measureBuilding, tableOf } from "../buildings/building.ts"

describe("buildings", () => {
  for (const storage of ["memory", "embedded"] as const) {
    it.live(`every change of a building is accepted, and is measured: ${storage}`, () =>
      Effect.gen(function* () {
        const measured = yield* measureBuilding({ storage, floors: 3, rooms: 12, times: 4 })
        // The site and the building beside the floors and rooms: those that were added are removed.
        assert.strictEqual(measured.places, 2 + 3 + 3 * 12)
        assert.deepStrictEqual(
          [...measured.changes.values()].map((taken) => taken.length),
          Array.from(measured.changes, () => 4)
        )
        assert.match(tableOf(measured), /\| a floor's level +\| +4 \|/)
      })
    )
  }
})
