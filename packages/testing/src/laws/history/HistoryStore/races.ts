/** Laws of `HistoryStore` on operations at the same moment. */
import { type HistoryStep, HistoryStore, type Timestamp } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { after } from "../../../arbitraries/times.ts"
import { anOrganization, enter, type OrganizationFixture } from "../../shared/fixtures.ts"
import { concurrently, allSucceed, total, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { publish } from "../../shared/presenceFeed.ts"
import { MINUTE, nextMorning, rollUp, rollUpAll, stepsOf, twoDays } from "./fixtures.ts"

const read = ({ owner, premises }: OrganizationFixture, step: HistoryStep, at: Timestamp) =>
  HistoryStore.use((store) => store.read(owner, premises, stepsOf(twoDays(step, at))))

const forgetMinutes = (before: Timestamp, most: number) =>
  HistoryStore.use((store) => store.forgetMinutes(before, most))

/** One entrance in each of some minutes, each published in its minute. */
const enterEachMinute = Effect.fnUntraced(function* (
  { premises }: OrganizationFixture,
  morning: Timestamp,
  minutes: number
) {
  for (let n = 1; n <= minutes; n++) {
    yield* enter(premises, { now: after(morning, n * MINUTE) })
    yield* publish(after(morning, n * MINUTE))
    yield* Effect.yieldNow
  }
})

export const historyRaceLaws: Laws = (it) => {
  it("a history is read as of one moment: what is published and rolled up meanwhile is in it once, or not at all", function* () {
    const morning = yield* nextMorning
    const fixture = yield* anOrganization()
    const feed = { isPublishing: true }
    const publishing = Effect.ensuring(
      enterEachMinute(fixture, morning, 30),
      Effect.sync(() => (feed.isPublishing = false))
    )
    const rollingUp = Effect.gen(function* () {
      while (feed.isPublishing) yield* Effect.andThen(rollUp(1), Effect.yieldNow)
    })
    let readings = 0
    const reading = Effect.gen(function* () {
      while (feed.isPublishing) {
        const { buckets, changes, inside } = yield* read(fixture, "hour", morning)
        const entered = [...buckets, ...changes].reduce((sum, one) => sum + one.entered, 0)
        assert.strictEqual(entered, inside)
        readings++
        yield* Effect.yieldNow
      }
    })
    yield* concurrently([publishing, rollingUp, ...times(4, () => reading)])
    assert.isAbove(readings, 4)
  })

  it("of calls that forget minutes at the same moment each bucket is forgotten by one", function* () {
    const morning = yield* nextMorning
    const fixture = yield* anOrganization()
    // What other laws left behind is published, and forgotten before.
    yield* publish(morning)
    yield* rollUpAll
    while ((yield* forgetMinutes(after(morning, 24 * 60 * MINUTE), 1_000)) > 0);
    yield* enterEachMinute(fixture, morning, 50)
    yield* rollUpAll
    for (let races = 1; races <= 4; races++) {
      const before = after(morning, (10 * races + 1) * MINUTE)
      // The time is known before the race: no write of it puts the calls in an order.
      assert.strictEqual(yield* forgetMinutes(before, 0), 0)
      const succeeded = yield* allSucceed(times(12, () => forgetMinutes(before, 8)))
      assert.isTrue(succeeded.every((count) => count <= 8))
      let forgotten = total(succeeded)
      for (let count = 1; count > 0; forgotten += count) count = yield* forgetMinutes(before, 8)
      assert.strictEqual(forgotten, 10)
    }
    assert.strictEqual((yield* read(fixture, "minute", morning)).buckets.length, 10)
  })

  it("of times that minutes are forgotten before at the same moment the latest counts", function* () {
    const morning = yield* nextMorning
    for (let calls = 0; calls < 3; calls++) {
      const fixture = yield* anOrganization()
      const latest = after(morning, (24 + calls) * 60 * MINUTE)
      yield* allSucceed(times(8, (n) => forgetMinutes(after(latest, (n - 4) * MINUTE), 1)))
      assert.strictEqual((yield* read(fixture, "minute", morning)).keptFrom, after(latest, 3 * MINUTE))
    }
  })
}
