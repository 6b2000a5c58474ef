/** Laws of `StayLog` for concurrent movements and readings, which an adapter may process in batches. */
import { assert } from "@effect/vitest"
import { LARGEST_LAG_MS, PlacePremises } from "@sojourn/core"
import { Effect } from "effect"
import { NOW, after } from "../../../arbitraries/times.ts"
import {
  NO_PLACE,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  closedOf,
  countIn,
  enter,
  leave,
  premisesOf,
  removePlace,
  setTrackingMode,
  aLinkedPerson
} from "../../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, concurrently, expectRefusals } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const raceLaws: Laws = (it) => {
  it("50 exits race for one stay of a place with different times: one wins, and its time is listed", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    const opened = yield* enter(premises, { timestamp: after(NOW, -1000) })
    const succeeded = yield* expectRefusals(race(times(50, (n) => leave(opened, { timestamp: after(NOW, -n) }))), {
      ExitNotMatched: 49
    })
    same(yield* closedOf(premises, fixture, [opened]), succeeded)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  it("50 times the same exit of a place at one moment: all succeed alike, and one person less is counted", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    const opened = yield* enter(premises, { timestamp: after(NOW, -1000) })
    const succeeded = yield* allSucceed(
      times(50, (n) => leave(opened, n % 2 === 0 ? { timestamp: NOW } : { now: NOW }))
    )
    for (const closed of succeeded) same(closed, succeeded[0])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  it("50 entrances of a place at one moment: 50 stays, all counted", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const succeeded = yield* allSucceed(times(50, () => enter(premises)))
    assert.strictEqual(new Set(succeeded.map((stay) => stay.id)).size, 50)
    assert.strictEqual(yield* countIn(premises, fixture), 50)
    yield* race(succeeded.slice(0, 20).map((stay) => leave(stay)))
    assert.strictEqual(yield* countIn(premises, fixture), 30)
    assert.strictEqual((yield* closedOf(premises, fixture, succeeded)).length, 20)
  })

  it("50 entrances of one person into a place race: one stay", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    const succeeded = yield* allSucceed(times(50, (n) => enter(premises, { by, timestamp: after(NOW, -n) })))
    assert.strictEqual(new Set(succeeded.map((stay) => `${stay.id} ${stay.entrance}`)).size, 1)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  it("a refused movement never refuses those that are written at the same moment", function* (fixture) {
    yield* expectRefusals(
      race(
        times(40, (n) =>
          enter(fixture.premises, { timestamp: after(NOW, [3_600_000, -LARGEST_LAG_MS - 1, 0, 0][n % 4]!) })
        )
      ),
      { TimestampInFuture: 10, TimestampTooOld: 10 }
    )
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 20)
  })

  it("entrances that race with a change of the tracking mode are wholly before or after it", function* (fixture) {
    const [{ succeeded, refusals }] = yield* concurrently([
      race(times(30, () => enter(fixture.premises))),
      setTrackingMode(fixture.id, "authenticated")
    ])
    assert.strictEqual(succeeded.length + (refusals["NotLinked"] ?? 0), 30)
    for (const stay of succeeded) assert.strictEqual(stay.orgAuthServerId, undefined)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), succeeded.length)
  })
}

export const batchLaws: Laws = (it) => {
  it("a counter of a place includes every movement that was answered before it was asked for", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    let entered = 0
    let left = 0
    const seen = (least: number, most: number) =>
      Effect.map(countIn(premises, fixture), (counter) => {
        assert.isAtLeast(counter, least)
        assert.isAtMost(counter, most)
      })
    const opened = yield* concurrently(
      times(40, () =>
        Effect.gen(function* () {
          const stay = yield* enter(premises)
          entered++
          yield* seen(entered, 40)
          return stay
        })
      )
    )
    yield* concurrently(
      opened.map((stay) =>
        Effect.gen(function* () {
          yield* leave(stay)
          left++
          yield* seen(0, 40 - left)
        })
      )
    )
    assert.strictEqual(yield* countIn(premises, fixture), 0)
  })

  it("movements of one moment are refused each for its own reason, and the others are written", function* (fixture) {
    const { person, user: by } = yield* aLinkedPerson(fixture)
    yield* setTrackingMode(fixture.id, "authenticated")
    const persons = yield* enter(fixture.premises, { by, timestamp: NOW })
    yield* setTrackingMode(fixture.id, "anonymous")
    const gone = yield* aPlace(fixture)
    yield* enter(PlacePremises(gone.id))
    yield* removePlace(fixture, gone)
    const knowing = yield* anOrganization()
    yield* enter(knowing.premises)
    yield* setTrackingMode(knowing.organization.id, "authenticated")
    const [first, ...others] = yield* Effect.all(times(6, () => enter(fixture.premises, { timestamp: NOW })))

    const [closed] = yield* concurrently([
      leave(persons, { timestamp: NOW }),
      refused(leave(first!, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance"),
      refused(enter(knowing.premises), "NotLinked"),
      refused(enter(PlacePremises(gone.id)), "PremisesNotFound"),
      ...others.map((stay) => leave(stay)),
      ...times(4, () => enter(fixture.premises))
    ] as const)
    assert.strictEqual(closed.orgAuthServerId, person, "the stay of a person remains theirs")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1 + 4)
    assert.strictEqual(yield* countIn(knowing.premises, knowing), 1)
  })

  it("counters that are asked for at one moment are answered each for its own reader and premises", function* () {
    const fixtures = yield* Effect.all(times(4, () => anOrganization()))
    const places = yield* Effect.forEach(fixtures, (fixture) => aPlace(fixture))
    for (const [n, fixture] of fixtures.entries()) {
      yield* Effect.all(times(n, () => enter(fixture.premises)))
      yield* Effect.all(times(2 * n + 1, () => enter(PlacePremises(places[n]!.id))))
    }
    const nowhere = PlacePremises(NO_PLACE)
    const asking = times(60, (i) => {
      const [n, fixture] = [i % 4, fixtures[i % 4]!]
      return concurrently([
        Effect.map(countIn(fixture.premises, fixture), (counter) => assert.strictEqual(counter, n)),
        Effect.map(countIn(PlacePremises(places[n]!.id), fixture), (counter) => assert.strictEqual(counter, 2 * n + 1)),
        refused(countIn(fixture.premises, fixtures[(n + 1) % 4]!), "PermissionTooLow"),
        refused(countIn(nowhere, fixture), "PremisesNotFound")
      ])
    })
    yield* allSucceed(asking)
  })

  it("lists that are asked for at one moment are answered each with its own stays", function* () {
    const fixtures = yield* Effect.all(times(3, () => anOrganization()))
    const closed = yield* Effect.forEach(fixtures, (fixture, n) =>
      Effect.all(times(n + 1, () => Effect.flatMap(enter(fixture.premises), (stay) => leave(stay))))
    )
    const everything = closed.flat()
    const lists = yield* concurrently(
      times(30, (i) =>
        closedOf(fixtures[i % 3]!.premises, fixtures[i % 3]!, i % 2 === 0 ? everything : everything.slice(1))
      )
    )
    const byId = (stays: typeof everything) => stays.map(({ id }) => id).sort()
    for (const [i, list] of lists.entries()) {
      const own = closed[i % 3]!
      same(byId([...list]), byId(i % 2 === 0 ? own : own.filter((stay) => stay !== everything[0])))
    }
  })

  it("a caller who no longer waits for a counter takes it from no other", function* (fixture) {
    yield* enter(fixture.premises)
    const counter = countIn(fixture.premises, fixture)
    const answers = yield* concurrently(
      times(40, (n) => (n % 2 === 0 ? Effect.as(Effect.timeoutOption(counter, 0), 1) : counter))
    )
    same(answers, Array(40).fill(1))
  })
}
