/** The test kit in another project: the laws on stores, and arbitraries for rules of one's own. */
import * as Memory from "@sojourn/adapter-memory"
import { admit } from "@sojourn/core"
import { movementClaim, movementFacts, permissionStoreLaws } from "@sojourn/testing"
import { assert, it } from "@effect/vitest"
import { Result } from "effect"

permissionStoreLaws("stores of an installed package", Memory.layerStores)

it.prop("an entrance is never far ahead", { facts: movementFacts, claim: movementClaim }, ({ facts, claim }) => {
  const admitted = admit(facts, claim)
  if (Result.isSuccess(admitted)) assert.isAtMost(admitted.success.entrance, claim.now + 5 * 60_000)
})
