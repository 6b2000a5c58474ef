/** The rules of stay policies and sweep leases, to the millisecond: overdue stays, retention and due sweeps. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import {
  changeStayPolicy,
  EventGrain,
  isOverdue,
  isPastRetention,
  isLeaseDue,
  LongestStay,
  NO_POLICY,
  Retention,
  SmallestCount,
  type StayPolicy
} from "../../../src/index.ts"
import { after, anyOf, integer, maybe, NOW, oneOf, timestamp } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const longestStay = Arbitrary.map(oneOf(anyOf([60, 3600, 43_200, 366 * 86_400]), integer(60, 366 * 86_400)), (s) =>
  LongestStay.make(s)
)
const retention = Arbitrary.map(oneOf(anyOf([86_400, 7_776_000]), integer(86_400, 36_525 * 86_400)), (s) =>
  Retention.make(s)
)
const eventGrain = Arbitrary.map(integer(0, 60), (s) => EventGrain.make(s))
const smallestCount = Arbitrary.map(integer(1, 1000), (count) => SmallestCount.make(count))
const policy: Arbitrary.Arbitrary<StayPolicy> = Arbitrary.all({
  longestStay: maybe(longestStay),
  retention: maybe(retention),
  eventGrain: maybe(eventGrain),
  smallestCount: maybe(smallestCount)
})
/** Milliseconds around the end of what a policy allows. */
const around = integer(-2, 2)

describe("a stay", () => {
  it.prop(
    "is overdue as soon as it is older than the longest stay, by a millisecond",
    { longestStay, retention: maybe(retention), recorded: timestamp, around },
    ({ around, recorded, ...policy }) => {
      const now = recorded + policy.longestStay * 1000 + around
      assert.strictEqual(isOverdue(policy, recorded, now as typeof recorded), around > 0)
      assert.isFalse(isOverdue({ ...policy, longestStay: undefined }, recorded, now as typeof recorded))
    },
    trials()
  )
})

describe("an access", () => {
  it.prop(
    "is past retention as soon as its exit lies further back, by a millisecond",
    { retention, longestStay: maybe(longestStay), exit: timestamp, around },
    ({ around, exit, ...policy }) => {
      const now = exit + policy.retention * 1000 + around
      assert.strictEqual(isPastRetention(policy, exit, now as typeof exit), around > 0)
      assert.isFalse(isPastRetention({ ...policy, retention: undefined }, exit, now as typeof exit))
    },
    trials()
  )
})

describe("a change of a policy", () => {
  const what = anyOf(["left out", "lifted", "set"] as const)

  it.prop(
    "sets what it holds, lifts what it holds as null, and leaves the rest as it is",
    { policy, other: policy, whats: Arbitrary.all([what, what, what, what]) },
    ({ policy, other, whats }) => {
      const fields = ["longestStay", "retention", "eventGrain", "smallestCount"] as const
      const change: Record<string, unknown> = {}
      const expected: Record<string, unknown> = { ...policy }
      for (const [n, field] of fields.entries()) {
        const isSet = whats[n] === "set" && other[field] !== undefined
        if (isSet) change[field] = expected[field] = other[field]
        else if (whats[n] === "lifted") [change[field], expected[field]] = [null, undefined]
      }
      const changed: Record<string, unknown> = { ...changeStayPolicy(policy, change) }
      for (const field of fields) assert.strictEqual(changed[field], expected[field], field)
    },
    trials()
  )

  it("of nothing leaves an organization without a policy as it was", () => {
    assert.deepStrictEqual(changeStayPolicy(NO_POLICY, {}), { longestStay: undefined, retention: undefined })
  })
})

describe("a sweep lease", () => {
  it("is due when there was none", () => assert.isTrue(isLeaseDue({ last: undefined, every: 60_000, now: NOW })))

  it.prop(
    "is due again so long after the last, or before it, by any server's clock",
    { last: timestamp, every: integer(0, 86_400_000), distance: integer(-90_000_000, 90_000_000) },
    ({ last, every, distance }) => {
      for (const later of [distance, every - 1, every, 1 - every, -every]) {
        const now = after(last, later)
        assert.strictEqual(isLeaseDue({ last, every, now }), now - last >= every || last - now >= every)
      }
    },
    trials()
  )
})
