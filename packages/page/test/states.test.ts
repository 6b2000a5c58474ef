/** How full premises are in words: by the numbers, whatever the level of the feed. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import type { PresenceMessage } from "@sojourn/client"
import { afterMessage, NO_COUNTS, stateOf, withCapacity } from "../src/browser/live/counts.ts"

const level = anyOf(["none", "normal", "warning", "full", "over"] as const)
const [inside, capacity] = [integer(0, 60), integer(1, 40)]

describe("the state of premises", () => {
  it.prop(
    "is over above the capacity, full at it, a warning from its part on, and the same when it is asked again",
    { inside, capacity, warnAt: anyOf([0.07, 0.5, 0.8, 1]), level },
    ({ inside, capacity, warnAt, level }) => {
      const count = { inside, capacity, warnAt, level }
      const state = stateOf(count)
      assert.strictEqual(state === "over", inside > capacity)
      assert.strictEqual(state === "full", inside === capacity)
      assert.strictEqual(state === "normal", inside < capacity && inside < warnAt * capacity - 1e-9)
      assert.strictEqual(stateOf({ ...count, level: state }), state)
      assert.strictEqual(stateOf({ ...count, capacity: undefined }), "none")
    }
  )

  it.prop("never says over or full below the capacity where no part is known", { inside, capacity, level }, (count) => {
    const isLow = count.inside < count.capacity
    assert.strictEqual(["warning", "normal"].includes(stateOf(count)), isLow)
    assert.strictEqual(stateOf({ ...count, level: "normal" }) === "normal", isLow)
  })

  it("follows the numbers of the stream while the feed's level stays, and knows the part that was read", () => {
    const at = "2026-03-01T08:00:00.000Z"
    const totals = { inside: 181, entered: 181, left: 0, capacity: 180, level: "over" } as const
    const snapshot: PresenceMessage = {
      event: "snapshot",
      data: { reason: "start", organizations: [{ organizationId: 1, version: 1, ...totals, places: [] }] }
    }
    let counts = afterMessage(NO_COUNTS, snapshot)
    const leave = (version: number, left: number, inside: number) => {
      const data = { type: "presence.changed", version, organizationId: 1, at, entered: 0, left, inside } as const
      counts = afterMessage(counts, { event: "presence.changed", data } as PresenceMessage)
      return counts.organizations.get(1)!.whole.level
    }
    assert.strictEqual(counts.organizations.get(1)!.whole.level, "over")
    assert.strictEqual(leave(2, 1, 180), "full")
    assert.strictEqual(leave(3, 2, 178), "warning")
    counts = withCapacity(counts, 1, undefined, { capacity: 180, warnAt: 0.9, level: "warning" })
    assert.strictEqual(leave(4, 16, 162), "warning")
    assert.strictEqual(leave(5, 1, 161), "normal")
  })
})
