/** Which tokens a revocation ends, and what it is kept by. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  callerOf,
  hashOfCaller,
  isIssuedBefore,
  LARGEST_LEAD,
  revocationOf,
  Timestamp,
  wholeSecondAfter
} from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { combinations, trials, verdict } from "../../trials.ts"

const NOW = Timestamp(Date.UTC(2026, 2, 1))
const tim = callerOf("user", "tim")

/** The claim `iat` that an issuer writes at a moment. */
const claimOf = (moment: number) => Math.floor(moment / 1_000)

describe("a revocation", () => {
  it.prop(
    "ends each token that was issued before it, and none that is issued once its second is over",
    { at: integer(0, 10_000), issued: integer(0, 20_000) },
    ({ at, issued }) => {
      const issuedBefore = Timestamp(NOW + at)
      const isRefused = isIssuedBefore(claimOf(NOW + issued), { callerHash: "", issuedBefore })
      const restOfSecond = wholeSecondAfter(issuedBefore) - issuedBefore
      assert.isTrue(restOfSecond >= 0 && restOfSecond < 1_000)
      if (issued < at) assert.isTrue(isRefused)
      if (issued >= at + restOfSecond) assert.isFalse(isRefused)
    },
    trials()
  )

  it("ends every token without a time of issue", () => {
    assert.isTrue(isIssuedBefore(undefined, { callerHash: "", issuedBefore: Timestamp(0) }))
  })

  it("compares fractions of seconds where an issuer writes them", () => {
    const revocation = { callerHash: "", issuedBefore: Timestamp(NOW + 500) }
    assert.isTrue(isIssuedBefore(NOW / 1_000 + 0.499, revocation))
    assert.isFalse(isIssuedBefore(NOW / 1_000 + 0.5, revocation))
  })

  it("lies at most 5 minutes ahead", () => {
    const at = (ahead: number) => revocationOf(tim, Timestamp(NOW + ahead), NOW)
    assert.strictEqual(verdict(at(LARGEST_LEAD + 1)), "RevocationInFuture")
    for (const ahead of [LARGEST_LEAD, 0, -1, -NOW]) {
      assert.deepStrictEqual(Result.getOrThrow(at(ahead)), {
        callerHash: hashOfCaller(tim),
        issuedBefore: Timestamp(NOW + ahead)
      })
    }
  })

  it("is kept by a hash of the caller's kind and id, which tells them apart", () => {
    const callers = combinations({ kind: ["user", "administrator", "operator"], id: ["tim", "Tim", "tim ", "é"] })
    const hashes = callers.map(({ kind, id }) => hashOfCaller(callerOf(kind, id)))
    assert.strictEqual(new Set(hashes).size, callers.length)
    for (const hash of hashes) assert.match(hash, /^[\w+/=-]{43,44}$/)
  })
})
