/** The states of a deletion request, and the rule that it is decided once. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import {
  AdministratorId,
  decideDeletion,
  type DeletionRequest,
  DeletionRequestId,
  DeletionRequestStatus,
  OperatorId,
  OrganizationId,
  requestsInOwnName
} from "../../../src/index.ts"
import { administratorId, anyOf, maybe, nearNow, NOW, text } from "@sojourn/testing"
import { trials, verdict } from "../../trials.ts"

describe("a deletion request", () => {
  it("is pending, approved or rejected, and nothing else", () => {
    const isStatus = Schema.is(DeletionRequestStatus)
    for (const status of ["pending", "approved", "rejected"]) assert.isTrue(isStatus(status), status)
    for (const status of ["", "Pending", "decided", 0, null]) assert.isFalse(isStatus(status), String(status))
  })

  const decision = Arbitrary.all({
    verdict: anyOf(["approved", "rejected"]),
    decisionDate: nearNow,
    decidedBy: Arbitrary.map(anyOf(["oscar", "olga"]), (id) => OperatorId.make(id))
  })

  it.prop(
    "is decided once: the first decision is kept with its maker and its date, every later one is refused",
    { reason: maybe(text(0, 20)), decisions: Arbitrary.array(decision, { minLength: 1, maxLength: 6 }) },
    ({ reason, decisions }) => {
      const made: DeletionRequest = {
        id: DeletionRequestId.make(1n),
        organizationId: OrganizationId.make(2n),
        administratorId: AdministratorId.make("ada"),
        reason,
        creationDate: NOW,
        status: "pending"
      }
      const { verdict: status, ...first } = decisions[0]!
      let now: DeletionRequest = made
      for (const [index, { verdict: requested, ...by }] of decisions.entries()) {
        const result = decideDeletion(now, requested, by)
        assert.strictEqual(verdict(result), index === 0 ? "accepted" : "DeletionRequestDecided")
        if (Result.isFailure(result)) assert.strictEqual(result.failure.status, status)
        else now = result.success
        assert.deepStrictEqual(now, { ...made, ...first, status })
      }
    },
    trials()
  )

  it.prop(
    "is made in one's own name alone",
    { caller: administratorId, named: maybe(administratorId) },
    ({ caller, named }) => {
      const isOwn = named === undefined || named === caller
      assert.strictEqual(verdict(requestsInOwnName(caller, named)), isOwn ? "accepted" : "DeletionRequestOfAnother")
    },
    trials()
  )
})
