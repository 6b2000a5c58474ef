/** Laws of `MusterStore` on musters that are ended and forgotten at the same moment. */
import { type MusterId, MusterStore, type Timestamp } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { leave } from "../../shared/fixtures.ts"
import {
  anOrganizationWithPlaces,
  aVisitor,
  end,
  get,
  minute,
  musterEvents,
  countsOf,
  start
} from "../../shared/musters.ts"
import { allSucceed, concurrently, pluck, total, race, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

const forget = (before: Timestamp, most: number) => MusterStore.use((store) => store.forget(before, most))

/** An organization with people inside, and an open muster. */
const anOpenMuster = Effect.gen(function* () {
  const { fixture, inHall } = yield* anOrganizationWithPlaces
  const visitors = yield* Effect.all(times(8, () => aVisitor(fixture)))
  const stays = yield* Effect.forEach(visitors, ({ enters }) => enters(inHall))
  const { id } = yield* start(fixture)
  return { fixture, visitors, stays, id }
})

export const musterRaceLaws: Laws = (it) => {
  it("of endings at the same moment one ends the muster, and all are answered what it ended with", function* () {
    const { fixture, visitors, stays, id } = yield* anOpenMuster
    const exits = visitors.map(({ user }, n) => leave(stays[n]!, { by: user, timestamp: minute(2), now: minute(2) }))
    const endings = times(8, (n) => end(fixture, id, minute(9 + n)))
    const [ended] = yield* concurrently([allSucceed(endings), allSucceed(exits)])
    const muster = yield* get(fixture, id)
    assert.strictEqual(muster.inside, visitors.length)
    for (const answer of ended) same(answer, muster)
    same(pluck(yield* musterEvents(fixture), "state"), ["started", "ended"])
  })

  it("a muster that is ended and forgotten at the same moment is answered as it ended, or is unknown", function* () {
    while ((yield* forget(minute(60), 1_000)) > 0);
    const musters = yield* Effect.all(times(8, () => anOpenMuster))
    const [ended, forgotten] = yield* concurrently([
      concurrently(musters.map(({ fixture, id }) => race(times(3, () => end(fixture, id))))),
      Effect.all(
        times(40, () => Effect.andThen(Effect.yieldNow, forget(minute(10), 2))),
        { concurrency: 4 }
      )
    ])
    let known = 0
    for (const [n, { succeeded, refusals }] of ended.entries()) {
      assert.strictEqual(succeeded.length + (refusals["MusterNotFound"] ?? 0), 3)
      for (const answer of succeeded) {
        same([answer.endedAt, countsOf(answer)], [minute(9), { inside: 8, safe: 0, left: 0, missing: 8 }])
      }
      const { fixture, id } = musters[n]!
      known += yield* Effect.match(get(fixture, id), { onSuccess: () => 1, onFailure: () => 0 })
    }
    assert.isTrue(forgotten.every((count) => count <= 2))
    assert.strictEqual(known + total(forgotten), musters.length)
  })

  it("of calls that forget musters at the same moment each muster is forgotten by one", function* () {
    while ((yield* forget(minute(60), 1_000)) > 0);
    const { fixture } = yield* anOrganizationWithPlaces
    for (let races = 0; races < 2; races++) {
      const ids: Array<MusterId> = []
      for (let n = 0; n < 12; n++) {
        const { id } = yield* start(fixture)
        yield* end(fixture, id)
        ids.push(id)
      }
      const succeeded = yield* allSucceed(times(8, () => forget(minute(10), 10)))
      assert.isTrue(succeeded.every((count) => count <= 10))
      let forgotten = total(succeeded)
      for (let count = 1; count > 0; forgotten += count) count = yield* forget(minute(10), 10)
      assert.strictEqual(forgotten, ids.length)
      for (const id of ids) yield* refused(get(fixture, id), "MusterNotFound")
    }
  })
}
