/** Laws of `StayPolicyStore` for abandoning overdue stays. */
import { PlacePremises, type RetryKey, StayPolicyStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  KIND,
  premisesOf,
  aPerson,
  timesIn,
  unused
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { abandonBatch, DAY, HOUR, changePolicy, takeLease, TWELVE_HOURS } from "./fixtures.ts"

export const abandonmentLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(
      `a stay of ${KIND[kind]} is abandoned after the longest stay, counted no more, and no exit matches it`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
        const early = yield* enter(premises)
        const late = yield* enter(premises, { now: after(NOW, 1) })
        assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR)), 0)
        assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR + 1)), 1)
        assert.strictEqual(yield* countIn(premises, fixture), 1)
        const now = after(NOW, 12 * HOUR + 2)
        for (const timestamp of [undefined, NOW, after(NOW, HOUR), now]) {
          yield* refused(leave(early, timestamp === undefined ? { now } : { now, timestamp }), "ExitNotMatched")
        }
        const closed = yield* leave(late, { now })
        same(yield* closedOf(premises, fixture, [early, late]), [closed])
        assert.strictEqual(yield* countIn(premises, fixture), 0)
      }
    )

    law(
      `a person whose stay of ${KIND[kind]} was abandoned enters anew, and the time counts for no person`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind, { trackingMode: "authenticated" })
        const person = aPerson()
        const by = yield* aUserLinkedTo(fixture.id, person)
        yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
        const first = yield* enter(premises, { by })
        const now = after(NOW, DAY)
        assert.strictEqual(yield* abandonBatch(fixture, now), 1)
        yield* refused(leave(first, { by, now }), "ExitNotMatched")
        const second = yield* enter(premises, { by, now })
        assert.notStrictEqual(second.id, first.id)
        assert.strictEqual(yield* countIn(premises, fixture), 1)
        const closed = yield* leave(second, { by, now: after(now, HOUR) })
        same(yield* closedBy(premises, fixture, [person]), [closed])
        if (premises._tag === "PlacePremises")
          same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: person, milliseconds: HOUR }])
      }
    )
  }

  law("the service's own record of the entrance counts, whatever time it claimed", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const reportedLate = yield* enter(fixture.premises, { timestamp: after(NOW, -7 * DAY) })
    yield* enter(fixture.premises, { timestamp: after(NOW, 299_999) })
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR)), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 2)
    yield* leave(reportedLate)
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR + 1)), 1)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  law("a policy is one organization's, and holds for its places and for who was inside before it", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const place = PlacePremises((yield* aPlace(fixture)).id)
    for (const premises of [fixture.premises, place, other.premises]) yield* enter(premises)
    const now = after(NOW, 400 * DAY)
    assert.strictEqual(yield* abandonBatch(fixture, now), 0)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    assert.strictEqual(yield* abandonBatch(fixture, now), 2)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    assert.strictEqual(yield* countIn(place, fixture), 0)
    assert.strictEqual(yield* countIn(other.premises, other), 1)
  })

  law("a policy that was lifted has no effect any more, not even in a lease that goes on", function* () {
    const store = yield* StayPolicyStore
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* enter(fixture.premises)
    const now = after(NOW, DAY)
    const lease = Option.getOrThrow(yield* takeLease(fixture, now))
    yield* changePolicy(fixture, { longestStay: null })
    assert.strictEqual(yield* store.abandon({ lease, now, most: 10 }), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
  })

  law("a batch ends so many stays at most, of whatever premises", function* () {
    const fixture = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* Effect.all(times(10, (n) => enter(n < 5 ? fixture.premises : place)))
    const left = Effect.zipWith(
      countIn(fixture.premises, fixture),
      countIn(place, fixture),
      (one, other) => one + other
    )
    for (const [batch, count] of [
      [4, 6],
      [4, 2],
      [2, 0],
      [0, 0]
    ] as const) {
      assert.strictEqual(yield* abandonBatch(fixture, after(NOW, DAY), 4), batch)
      assert.strictEqual(yield* left, count)
    }
  })

  law("a retry key stands for its stay for its day, also after that was abandoned", function* () {
    const fixture = yield* anOrganization()
    const key = unused("retry") as RetryKey
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const first = yield* enter(fixture.premises, { key })
    const now = after(NOW, 13 * HOUR)
    assert.strictEqual(yield* abandonBatch(fixture, now), 1)
    assert.strictEqual((yield* enter(fixture.premises, { key, now })).id, first.id)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })
}
