/** The simulated people of the demo's campus. */
import { layer } from "@sojourn/adapter-memory"
import {
  OrganizationId,
  OrganizationPremises,
  Organizations,
  PlacePremises,
  Places,
  type Premises,
  Presence
} from "@sojourn/core"
import { integer } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { CAMPUS } from "../src/demo/campus.ts"
import { choose, runCrowd, spread } from "../src/demo/crowd.ts"
import { OPERATOR, OWNER } from "./services/fixtures.ts"

const SIZE = 60

/** The campus without a crowd. */
const aCampus = Effect.gen(function* () {
  const organizations = yield* Organizations
  const places = yield* Places
  const owner = { administratorId: OWNER.administratorId, mail: OWNER.mail! }
  const { id: organizationId } = yield* organizations.create(OPERATOR, CAMPUS, owner)
  const attractions = yield* Effect.forEach(CAMPUS.places, ({ name, trackingArea, pull }) =>
    Effect.map(places.create(OWNER, { organizationId, name, trackingArea }), ({ id }) => ({ id, pull }))
  )
  return { organizationId, attractions }
})

/** How many people are inside of premises. */
const inside = (premises: Premises) =>
  Presence.use(({ counter }) => Effect.map(counter(OWNER, premises), (counted) => counted.counter))

/** How many are inside of the campus, and of each of its places. */
const countsOf = Effect.fnUntraced(function* ({ organizationId, attractions }: Effect.Success<typeof aCampus>) {
  return {
    inside: yield* inside(OrganizationPremises(organizationId)),
    places: yield* Effect.forEach(attractions, ({ id }) => inside(PlacePremises(id)))
  }
})

const sum = (counts: ReadonlyArray<number>) => counts.reduce((all, count) => all + count, 0)

const STEPS = 1_000_000
const random = Arbitrary.map(integer(0, STEPS - 1), (step) => step / STEPS)

describe("the crowd of the demo", () => {
  it.effect("enters immediately, moves, and leaves when it is interrupted", () =>
    Effect.gen(function* () {
      const campus = yield* aCampus
      const crowd = yield* Effect.forkChild(runCrowd({ ...campus, size: SIZE }))
      yield* TestClock.adjust("1 second")
      const first = yield* countsOf(campus)
      assert.isAbove(first.inside, SIZE / 3)
      const seen = new Set<string>()
      for (let minute = 0; minute < 20; minute++) {
        yield* TestClock.adjust("1 minute")
        const { inside, places } = yield* countsOf(campus)
        assert.isAbove(inside, 0)
        assert.isAtMost(inside, SIZE)
        assert.isAtMost(sum(places), inside)
        seen.add(JSON.stringify([inside, places]))
      }
      assert.isAbove(seen.size, 10)
      yield* Fiber.interrupt(crowd)
      const last = yield* countsOf(campus)
      assert.deepStrictEqual([last.inside, sum(last.places)], [0, 0])
    }).pipe(Effect.provide(layer))
  )

  it.effect("skips a place that is removed", () =>
    Effect.gen(function* () {
      const campus = yield* aCampus
      const places = yield* Places
      const crowd = yield* Effect.forkChild(runCrowd({ ...campus, size: SIZE }))
      yield* TestClock.adjust("1 minute")
      for (const { id } of campus.attractions.slice(1)) yield* places.remove(OWNER, id)
      yield* TestClock.adjust("10 minutes")
      const left = { ...campus, attractions: campus.attractions.slice(0, 1) }
      assert.isAbove((yield* countsOf(left)).inside, 0)
      yield* Fiber.interrupt(crowd)
      assert.deepStrictEqual(yield* countsOf(left), { inside: 0, places: [0] })
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends by itself where no user may enter", () =>
    Effect.gen(function* () {
      const crowd = yield* Effect.forkChild(
        runCrowd({ organizationId: OrganizationId.make(7n), attractions: [], size: SIZE })
      )
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(crowd)
    }).pipe(Effect.provide(layer))
  )

  it.prop("a time is not negative, and at most four times its mean", { random }, ({ random }) => {
    assert.isAtLeast(spread(1_000, random), 0)
    assert.isAtMost(spread(1_000, random), 4_000)
  })

  it.prop(
    "a place is one of the places, also where there is a single one",
    { pulls: Arbitrary.array(integer(1, 20), { minLength: 1 }), now: integer(0, 1_000_000_000), random },
    ({ pulls, now, random }) => {
      assert.isTrue(pulls[choose(pulls, now, random)] !== undefined)
    }
  )
})
