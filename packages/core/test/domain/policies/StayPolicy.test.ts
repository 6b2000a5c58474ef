/** The rules of stay policies and sweep leases, to the millisecond: overdue stays, retention and due sweeps. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
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
    },
    trials()
  )

  it.prop(
    "is never overdue without a longest stay, whatever its age and the retention",
    { retention: maybe(retention), recorded: timestamp, now: timestamp },
    ({ retention, recorded, now }) => assert.isFalse(isOverdue({ retention }, recorded, now)),
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
    },
    trials()
  )

  it.prop(
    "is kept for ever without a retention",
    { longestStay: maybe(longestStay), exit: timestamp, now: timestamp },
    ({ longestStay, exit, now }) => assert.isFalse(isPastRetention({ longestStay }, exit, now)),
    trials()
  )
})

describe("a change of a policy", () => {
  const what = anyOf(["left out", "lifted", "set"])
  type What = "left out" | "lifted" | "set"

  it.prop(
    "sets what it holds, lifts what it holds as null, and leaves the rest as it is",
    {
      policy,
      other: Arbitrary.all({ longestStay, retention, eventGrain, smallestCount }),
      stay: what,
      kept: what,
      grain: what,
      count: what
    },
    ({ policy, other, stay, kept, grain, count }) => {
      const said = <A>(what: What, value: A) => (what === "set" ? value : what === "lifted" ? null : undefined)
      const changed = changeStayPolicy(policy, {
        longestStay: said(stay, other.longestStay),
        retention: said(kept, other.retention),
        eventGrain: said(grain, other.eventGrain),
        smallestCount: said(count, other.smallestCount)
      })
      const expected = <A>(what: What, before: A, after: A) =>
        what === "set" ? after : what === "lifted" ? undefined : before
      assert.strictEqual(changed.longestStay, expected(stay, policy.longestStay, other.longestStay))
      assert.strictEqual(changed.retention, expected(kept, policy.retention, other.retention))
      assert.strictEqual(changed.eventGrain, expected(grain, policy.eventGrain, other.eventGrain))
      assert.strictEqual(changed.smallestCount, expected(count, policy.smallestCount, other.smallestCount))
    },
    trials()
  )

  it("of nothing leaves an organization without a policy as it was", () => {
    assert.deepStrictEqual(changeStayPolicy(NO_POLICY, {}), { longestStay: undefined, retention: undefined })
  })
})

describe("a sweep lease", () => {
  it("is due when there was none", () => assert.isTrue(isLeaseDue(undefined, 60_000, NOW)))

  it.prop(
    "is due again so long after the last, or before it, by any server's clock",
    { last: timestamp, every: integer(0, 86_400_000), distance: integer(-90_000_000, 90_000_000) },
    ({ last, every, distance }) => {
      const now = after(last, distance)
      assert.strictEqual(isLeaseDue(last, every, now), now - last >= every || last - now >= every)
    },
    trials()
  )

  it.prop(
    "is due to the millisecond",
    { last: timestamp, every: integer(1, 86_400_000) },
    ({ last, every }) => {
      const due = (distance: number) => isLeaseDue(last, every, (last + distance) as typeof last)
      assert.deepStrictEqual([due(every - 1), due(every), due(1 - every), due(-every)], [false, true, false, true])
    },
    trials()
  )
})
