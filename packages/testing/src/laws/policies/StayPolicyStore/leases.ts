/** Laws of `StayPolicyStore` for leases: one server sweeps an organization at a time. */
import { StayPolicyStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { after, NOW } from "../../../arbitraries/times.ts"
import { anOrganization, countIn, enter } from "../../shared/fixtures.ts"
import { times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { DAY, NINETY_DAYS, changePolicy, takeLease, TWELVE_HOURS } from "./fixtures.ts"

const MINUTE = 60_000

export const leaseLaws: Laws = (law) => {
  law("of 20 concurrent requests for a lease one is granted, and no other before it is due", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const ask = (milliseconds: number) => takeLease(fixture, after(NOW, milliseconds), MINUTE)
    const first = yield* Effect.all(
      times(20, () => ask(0)),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(first.filter(Option.isSome).length, 1)
    for (const early of [1, -1, MINUTE - 1, 1 - MINUTE]) assert.isTrue(Option.isNone(yield* ask(early)), `${early}`)
    assert.isTrue(Option.isSome(yield* ask(MINUTE)))
    // A clock that runs behind does not wait for one that ran ahead.
    assert.isTrue(Option.isSome(yield* ask(0)))
  })

  law("each organization has a lease of its own", function* () {
    const [one, other] = [yield* anOrganization(), yield* anOrganization()]
    yield* changePolicy(one, { longestStay: TWELVE_HOURS })
    yield* changePolicy(other, { longestStay: TWELVE_HOURS })
    assert.isTrue(Option.isSome(yield* takeLease(one, NOW, MINUTE)))
    assert.isTrue(Option.isSome(yield* takeLease(other, NOW, MINUTE)))
  })

  law("a lease allows nothing after the next was taken", function* () {
    const store = yield* StayPolicyStore
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    yield* enter(fixture.premises)
    const now = after(NOW, DAY)
    const late = Option.getOrThrow(yield* takeLease(fixture, now))
    const next = Option.getOrThrow(yield* takeLease(fixture, now))
    assert.strictEqual(yield* store.abandon({ lease: late, now, most: 10 }), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual(yield* store.abandon({ lease: next, now, most: 10 }), 1)
  })
}
