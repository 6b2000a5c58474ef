/** Laws of `StayLog` for concurrent entrances and exits. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aUserLinkedTo,
  closedOf,
  countIn,
  enter,
  leave,
  premisesOf,
  aPerson,
  setTrackingMode,
  KIND
} from "../../shared/fixtures.ts"
import { race, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const raceLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(
      `50 exits race for one stay of ${KIND[kind]} with different times: one wins, and its time is listed`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        yield* enter(premises)
        const opened = yield* enter(premises, { timestamp: after(NOW, -1000) })
        const { succeeded, refusals } = yield* race(times(50, (n) => leave(opened, { timestamp: after(NOW, -n) })))
        assert.strictEqual(succeeded.length, 1)
        same(refusals, { ExitNotMatched: 49 })
        same(yield* closedOf(premises, fixture, [opened]), succeeded)
        assert.strictEqual(yield* countIn(premises, fixture), 1)
      }
    )

    law(
      `50 times the same exit of ${KIND[kind]} at one moment: all succeed alike, and one person less is counted`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        yield* enter(premises)
        const opened = yield* enter(premises, { timestamp: after(NOW, -1000) })
        const { succeeded, refusals } = yield* race(
          times(50, (n) => leave(opened, n % 2 === 0 ? { timestamp: NOW } : { now: NOW }))
        )
        same(refusals, {})
        for (const closed of succeeded) same(closed, succeeded[0])
        assert.strictEqual(yield* countIn(premises, fixture), 1)
      }
    )

    law(`50 entrances of ${KIND[kind]} at one moment: 50 stays, all counted`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const { succeeded, refusals } = yield* race(times(50, () => enter(premises)))
      same(refusals, {})
      assert.strictEqual(new Set(succeeded.map((stay) => stay.id)).size, 50)
      assert.strictEqual(yield* countIn(premises, fixture), 50)
      yield* race(succeeded.slice(0, 20).map((stay) => leave(stay)))
      assert.strictEqual(yield* countIn(premises, fixture), 30)
      assert.strictEqual((yield* closedOf(premises, fixture, succeeded)).length, 20)
    })

    law(`50 entrances of one person into ${KIND[kind]} race: one stay`, function* () {
      const { fixture, premises } = yield* premisesOf(kind, { trackingMode: "authenticated" })
      const by = yield* aUserLinkedTo(fixture.id, aPerson())
      const { succeeded, refusals } = yield* race(times(50, (n) => enter(premises, { by, timestamp: after(NOW, -n) })))
      same(refusals, {})
      assert.strictEqual(new Set(succeeded.map((stay) => `${stay.id} ${stay.entrance}`)).size, 1)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  law("a refused movement never refuses those that are written at the same moment", function* () {
    const fixture = yield* anOrganization()
    const { succeeded, refusals } = yield* race(
      times(40, (n) => enter(fixture.premises, { timestamp: after(NOW, n % 4 === 0 ? 3_600_000 : 0) }))
    )
    assert.strictEqual(succeeded.length, 30)
    same(refusals, { TimestampInFuture: 10 })
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 30)
  })

  law("entrances and exits of many organizations at one moment do not disturb each other", function* () {
    const fixtures = yield* Effect.all(times(5, () => anOrganization()))
    const opened = yield* Effect.all(
      times(50, (n) => enter(fixtures[n % 5]!.premises)),
      { concurrency: "unbounded" }
    )
    yield* Effect.all(
      opened.flatMap((stay, n) => [n % 2 === 0 ? leave(stay) : Effect.void, enter(stay.premises)]),
      { concurrency: "unbounded" }
    )
    for (const [g, fixture] of fixtures.entries()) {
      const left = opened.filter((_, n) => n % 5 === g && n % 2 === 0).length
      assert.strictEqual(yield* countIn(fixture.premises, fixture), 20 - left)
    }
  })

  law("entrances that race with a change of the tracking mode are wholly before or after it", function* () {
    const fixture = yield* anOrganization()
    const [{ succeeded, refusals }] = yield* Effect.all(
      [race(times(30, () => enter(fixture.premises))), setTrackingMode(fixture.id, "authenticated")],
      { concurrency: "unbounded" }
    )
    assert.strictEqual(succeeded.length + (refusals["NotLinked"] ?? 0), 30)
    for (const stay of succeeded) assert.strictEqual(stay.orgAuthServerId, undefined)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), succeeded.length)
  })
}
