/** What movements and readings promise that an adapter may answer together. */
import { PlacePremises } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedOf,
  countIn,
  enter,
  leave,
  KIND,
  premisesOf,
  removePlace,
  aPerson,
  setTrackingMode,
  NO_PLACE
} from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const batchLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(`a counter of ${KIND[kind]} includes every movement that was answered before it was asked for`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      let entered = 0
      let left = 0
      const seen = (least: number, most: number) =>
        Effect.map(countIn(premises, fixture), (counter) => {
          assert.isAtLeast(counter, least)
          assert.isAtMost(counter, most)
        })
      const opened = yield* Effect.all(
        times(40, () =>
          Effect.gen(function* () {
            const stay = yield* enter(premises)
            entered++
            yield* seen(entered, 40)
            return stay
          })
        ),
        { concurrency: "unbounded" }
      )
      yield* Effect.all(
        opened.map((stay) =>
          Effect.gen(function* () {
            yield* leave(stay)
            left++
            yield* seen(0, 40 - left)
          })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(yield* countIn(premises, fixture), 0)
    })
  }

  law("movements of one moment are refused each for its own reason, and the others are written", function* () {
    const fixture = yield* anOrganization()
    const person = aPerson()
    const by = yield* aUserLinkedTo(fixture.id, person)
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

    const [closed] = yield* Effect.all(
      [
        leave(persons, { timestamp: NOW }),
        refused(leave(first!, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance"),
        refused(enter(knowing.premises), "NotLinked"),
        refused(enter(PlacePremises(gone.id)), "PremisesNotFound"),
        ...others.map((stay) => leave(stay)),
        ...times(4, () => enter(fixture.premises))
      ] as const,
      { concurrency: "unbounded" }
    )
    assert.strictEqual(closed.orgAuthServerId, person, "the stay of a person remains theirs")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1 + 4)
    assert.strictEqual(yield* countIn(knowing.premises, knowing), 1)
  })

  law("counters that are asked for at one moment are answered each for its own reader and premises", function* () {
    const fixtures = yield* Effect.all(times(4, () => anOrganization()))
    const places = yield* Effect.forEach(fixtures, (fixture) => aPlace(fixture))
    for (const [n, fixture] of fixtures.entries()) {
      yield* Effect.all(times(n, () => enter(fixture.premises)))
      yield* Effect.all(times(2 * n + 1, () => enter(PlacePremises(places[n]!.id))))
    }
    const nowhere = PlacePremises(NO_PLACE)
    const asking = times(60, (i) => {
      const [n, fixture] = [i % 4, fixtures[i % 4]!]
      return Effect.all(
        [
          Effect.map(countIn(fixture.premises, fixture), (counter) => assert.strictEqual(counter, n)),
          Effect.map(countIn(PlacePremises(places[n]!.id), fixture), (counter) =>
            assert.strictEqual(counter, 2 * n + 1)
          ),
          refused(countIn(fixture.premises, fixtures[(n + 1) % 4]!), "PermissionTooLow"),
          refused(countIn(nowhere, fixture), "PremisesNotFound")
        ],
        { concurrency: "unbounded" }
      )
    })
    const { succeeded, refusals } = yield* race(asking)
    assert.strictEqual(succeeded.length, 60)
    same(refusals, {})
  })

  law("lists that are asked for at one moment are answered each with its own stays", function* () {
    const fixtures = yield* Effect.all(times(3, () => anOrganization()))
    const closed = yield* Effect.forEach(fixtures, (fixture, n) =>
      Effect.all(times(n + 1, () => Effect.flatMap(enter(fixture.premises), (stay) => leave(stay))))
    )
    const everything = closed.flat()
    const lists = yield* Effect.all(
      times(30, (i) =>
        closedOf(fixtures[i % 3]!.premises, fixtures[i % 3]!, i % 2 === 0 ? everything : everything.slice(1))
      ),
      { concurrency: "unbounded" }
    )
    const byId = (stays: typeof everything) => stays.map(({ id }) => id).sort()
    for (const [i, list] of lists.entries()) {
      const own = closed[i % 3]!
      same(byId([...list]), byId(i % 2 === 0 ? own : own.filter((stay) => stay !== everything[0])))
    }
  })

  law("a caller who no longer waits for a counter takes it from no other", function* () {
    const fixture = yield* anOrganization()
    yield* enter(fixture.premises)
    const counter = countIn(fixture.premises, fixture)
    const answers = yield* Effect.all(
      times(40, (n) => (n % 2 === 0 ? Effect.as(Effect.timeoutOption(counter, 0), 1) : counter)),
      { concurrency: "unbounded" }
    )
    same(
      answers,
      times(40, () => 1)
    )
  })
}
