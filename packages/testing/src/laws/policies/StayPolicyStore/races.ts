/** Laws of `StayPolicyStore` on sweeps beside movements, and beside each other. */
import { StayPolicyStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  aPerson
} from "../../shared/fixtures.ts"
import { race, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { abandonBatch, DAY, forgetBatch, NINETY_DAYS, changePolicy, takeLease, TWELVE_HOURS } from "./fixtures.ts"

const all = { concurrency: "unbounded" } as const
const now = after(NOW, DAY)

/** Abandons until nothing is left to abandon; what others were writing is met again. */
const abandonAll = Effect.fnUntraced(function* (
  fixture: Parameters<typeof abandonBatch>[0],
  most: number
): Effect.fn.Return<number, Effect.Error<ReturnType<typeof abandonBatch>>, StayPolicyStore> {
  let sum = 0
  for (let empty = 0; empty < 3;) {
    const swept = yield* abandonBatch(fixture, now, most)
    sum += swept
    empty = swept === 0 ? empty + 1 : 0
  }
  return sum
})

export const policyRaceLaws: Laws = (law) => {
  law("of an exit and an abandonment of one stay at one moment exactly one wins, 60 times", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const opened = yield* Effect.all(
      times(60, () => enter(fixture.premises)),
      all
    )
    const inside = yield* enter(fixture.premises, { now })
    const [{ succeeded, refusals }, swept] = yield* Effect.all(
      [race(opened.map((stay, n) => leave(stay, { now: after(now, n) }))), abandonAll(fixture, 7)],
      all
    )
    assert.strictEqual(succeeded.length + swept, 60)
    same(refusals, swept === 0 ? {} : { ExitNotMatched: swept })
    assert.strictEqual((yield* closedOf(fixture.premises, fixture, opened)).length, succeeded.length)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    yield* leave(inside, { now })
  })

  law(
    "a person who enters while their stay is abandoned is inside once, and leaves with what they were given",
    function* () {
      const fixture = yield* anOrganization({ trackingMode: "authenticated" })
      yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
      const people = times(20, () => aPerson())
      const users = yield* Effect.forEach(people, (person) => aUserLinkedTo(fixture.id, person))
      yield* Effect.forEach(users, (by) => enter(fixture.premises, { by }), all)
      const [entered, swept] = yield* Effect.all(
        [
          race(users.map((by) => Effect.map(enter(fixture.premises, { by, now }), (stay) => ({ by, stay })))),
          abandonAll(fixture, 3)
        ],
        all
      )
      same(entered.refusals, {})
      // An entrance that was answered with the earlier stay has lost it by now.
      const { succeeded, refusals } = yield* race(entered.succeeded.map(({ by, stay }) => leave(stay, { by, now })))
      assert.strictEqual(swept, 20)
      assert.strictEqual(succeeded.length + (refusals["ExitNotMatched"] ?? 0), 20)
      assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
      assert.strictEqual((yield* closedBy(fixture.premises, fixture, people)).length, succeeded.length)
    }
  )

  law("two sweeps at one moment end each stay once", function* () {
    const store = yield* StayPolicyStore
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    const stays = yield* Effect.all(
      times(40, () => enter(fixture.premises)),
      all
    )
    yield* Effect.forEach(stays.slice(0, 20), (stay) => leave(stay), all)
    const later = after(NOW, 100 * DAY)
    const lease = Option.getOrThrow(yield* takeLease(fixture, later))
    const batches = Effect.all(
      times(8, () =>
        Effect.all([store.abandon({ lease, now: later, most: 5 }), store.forget({ lease, now: later, most: 5 })])
      ),
      all
    )
    const swept = (yield* batches).flat().reduce((sum, one) => sum + one, 0)
    // What two batches met at one moment one of them left to the other.
    const rest = (yield* abandonBatch(fixture, later)) + (yield* forgetBatch(fixture, later))
    assert.strictEqual(swept + rest, 40)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    same(yield* closedOf(fixture.premises, fixture, stays), [])
  })
}
