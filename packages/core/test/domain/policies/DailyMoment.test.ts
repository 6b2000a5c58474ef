import { assert, describe, it } from "@effect/vitest"
import { DAILY_PARTS, isMomentAhead, LONGEST_DAY_MS, momentsAfterChange, Timestamp } from "../../../src/index.ts"

const at = (text: string): Timestamp => Timestamp(Date.parse(text))

describe("the next moment of a policy", () => {
  it.each(DAILY_PARTS)(
    "%s is kept by a change of other members, and set anew with the time or the time zone",
    (part) => {
      const policy = { [part]: "04:00" }
      const [now, moment] = [at("2026-06-01T05:00:00Z"), at("2026-06-01T04:00:00Z")]
      const next = { [part]: moment }
      const after = (before: object, changed: object) => momentsAfterChange({ before, after: changed, next, now })[part]
      assert.strictEqual(after(policy, { ...policy, retention: 1 }), moment)
      assert.strictEqual(after({}, policy), at("2026-06-02T04:00:00Z"))
      assert.strictEqual(after(policy, { ...policy, timeZone: "Europe/Rome" }), at("2026-06-02T02:00:00Z"))
      assert.isUndefined(after(policy, {}))
    }
  )

  it("of one part is not the other's", () => {
    const [now, moment] = [at("2026-06-01T05:00:00Z"), at("2026-06-01T04:00:00Z")]
    const before = { countedResetAt: "04:00", staysEndAt: "04:00" }
    assert.deepStrictEqual(
      momentsAfterChange({
        before,
        after: { ...before, staysEndAt: "06:00" },
        next: { countedResetAt: moment, staysEndAt: moment },
        now
      }),
      { countedResetAt: moment, staysEndAt: at("2026-06-01T06:00:00Z") }
    )
  })

  it("is ahead where no two are so far apart", () => {
    const now = at("2026-06-01T05:00:00Z")
    assert.isFalse(isMomentAhead(Timestamp(now + LONGEST_DAY_MS), now))
    assert.isTrue(isMomentAhead(Timestamp(now + LONGEST_DAY_MS + 1), now))
  })
})
