/** The simulated people of the demo's campus. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  Devices,
  Histories,
  layerSecretKeysEphemeral,
  layerServices,
  OrganizationDirectory,
  OrganizationId,
  OrganizationPremises,
  Organizations,
  type Place,
  PlaceId,
  PlacePremises,
  Places,
  type Premises,
  Presence,
  Timestamp
} from "@sojourn/core"
import { integer } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { attractionsOf, attractivenessOf, CAMPUS } from "../src/demo/campus.ts"
import { runDoor } from "../src/demo/doors.ts"
import { choose, runCrowd, spread } from "../src/demo/crowd.ts"
import { importWeek, visitsOf } from "../src/demo/week.ts"
import { OPERATOR, OWNER } from "./services/fixtures.ts"

const SIZE = 60

/** All use cases in memory, with the stores and keys that the past week is written with. */
const layer = Layer.provideMerge(layerServices, [
  layerStores,
  OrganizationDirectory.layerNone,
  layerSecretKeysEphemeral
])

/** The campus without a crowd. */
const aCampus = Effect.gen(function* () {
  const organizations = yield* Organizations
  const places = yield* Places
  const owner = { administratorId: OWNER.administratorId, mail: OWNER.mail! }
  const { id: organizationId } = yield* organizations.create(OPERATOR, CAMPUS, owner)
  const created = new Map<string, Place>()
  for (const { name, trackingArea, level, parent = "" } of CAMPUS.places) {
    const draft = { organizationId, name, trackingArea, level, parentId: created.get(parent)?.id }
    created.set(name, yield* places.create(OWNER, draft))
  }
  const attractions = attractionsOf([...created].map(([name, { id, parentId }]) => ({ id, name, parentId })))
  return { organizationId, attractions, idOf: (name: string) => created.get(name)!.id }
})

/** How many people are inside of premises. */
const inside = (premises: Premises) =>
  Presence.use(({ counter }) => Effect.map(counter(OWNER, premises), (counted) => counted.counter))

type Campus = Pick<Effect.Success<typeof aCampus>, "organizationId" | "attractions">

/** How many are inside of the campus, of each of its places, and of all that are no part of another. */
const countsOf = Effect.fnUntraced(function* ({ organizationId, attractions }: Campus) {
  const places = yield* Effect.forEach(attractions, ({ id }) => inside(PlacePremises(id)))
  return {
    inside: yield* inside(OrganizationPremises(organizationId)),
    places,
    inPlaces: sum(places.filter((_, n) => attractions[n]!.within.length === 0))
  }
})

const sum = (counts: ReadonlyArray<number>) => counts.reduce((all, count) => all + count, 0)

describe("the doors of the demo", () => {
  it.effect("count people in and out, until they are interrupted or their device is removed", () =>
    Effect.gen(function* () {
      const { organizationId, idOf } = yield* aCampus
      const devices = yield* Devices
      const premises = [OrganizationPremises(organizationId), PlacePremises(idOf("Cafeteria"))]
      const { device } = yield* devices.create(OWNER, { organizationId, name: "Door", premises })
      const run = runDoor({ organizationId, deviceId: device.id, premises })
      const door = yield* Effect.forkChild(run)
      const seen = new Set<number>()
      for (let minute = 0; minute < 20; minute++) {
        yield* TestClock.adjust("1 minute")
        const [whole, place] = yield* Effect.forEach(premises, inside)
        assert.strictEqual(whole, place)
        seen.add(whole!)
      }
      assert.isAbove(seen.size, 2)
      yield* Fiber.interrupt(door)
      assert.deepStrictEqual(yield* Effect.forEach(premises, inside), [0, 0])
      assert.containsSubset(yield* devices.list(OWNER, organizationId), [{ state: "ok", drift: 0 }])

      const again = yield* Effect.forkChild(run)
      yield* devices.remove(OWNER, device.id)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(again)
    }).pipe(Effect.provide(layer))
  )
})

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
        const { inside, places, inPlaces } = yield* countsOf(campus)
        assert.isAbove(inside, 0)
        assert.isAtMost(inside, SIZE)
        assert.isAtMost(inPlaces, inside)
        const on = (name: string) => places[campus.attractions.findIndex(({ id }) => id === campus.idOf(name))]!
        assert.strictEqual(on("Library"), on("Library, ground floor") + on("Library, first floor"))
        assert.isAtMost(on("Reading room"), on("Library, first floor"))
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
      const [last, ...removed] = campus.attractions.toReversed()
      for (const { id } of removed) yield* places.remove(OWNER, id)
      yield* TestClock.adjust("10 minutes")
      const left = { ...campus, attractions: [last!] }
      assert.isAbove((yield* countsOf(left)).inside, 0)
      yield* Fiber.interrupt(crowd)
      assert.deepStrictEqual(yield* countsOf(left), { inside: 0, places: [0], inPlaces: 0 })
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

const HOUR = 3_600_000

/** A Thursday at 10:30 by the clock of this machine, at night, and at lunch on a Sunday. */
const MOMENTS = [new Date(2026, 2, 5, 10, 30), new Date(2026, 2, 5, 2, 10), new Date(2026, 2, 8, 12)].map(Number)

/** The mean of the rows of some hours of the day, on some days of the week. */
const meanOf = (
  rows: ReadonlyArray<{ readonly from: number; readonly average: number }>,
  [begin, end]: readonly [number, number],
  weekdays: ReadonlyArray<number> = [1, 2, 3, 4, 5]
) => {
  const some = rows.filter(({ from }) => {
    const [hour, day] = [new Date(from).getHours(), new Date(from).getDay()]
    return hour >= begin && hour < end && weekdays.includes(day)
  })
  return sum(some.map(({ average }) => average)) / some.length
}

describe("the past week of the demo's campus", () => {
  it.effect.each(MOMENTS)("is the same in the history as in its visits, and goes on into the crowd: %s", (now) =>
    Effect.gen(function* () {
      const campus = yield* aCampus
      const crowd = { ...campus, size: SIZE }
      yield* importWeek(OWNER, crowd)
      assert.strictEqual((yield* countsOf(campus)).inside, 0)

      const midnight = new Date(new Date(now).setHours(0, 0, 0, 0)).setDate(new Date(now).getDate() - 7)
      const range = { step: "hour", from: Timestamp(midnight - HOUR), to: Timestamp(now + 1) } as const
      const rowsOf = (premises: Premises) => Histories.use(({ rows }) => rows(OWNER, premises, range))
      const every = [
        OrganizationPremises(campus.organizationId),
        ...campus.attractions.map(({ id }) => PlacePremises(id))
      ]
      for (const [n, premises] of every.entries()) {
        const rows = yield* rowsOf(premises)
        // Steps are hours of UTC, and a zone may be half an hour off.
        if (n === 0) assert.strictEqual(rows[0]!.from, Math.floor(midnight / HOUR) * HOUR)
        let inside = 0
        for (const { entered, left, least, most, average } of rows) {
          assert.isTrue(least <= average && average <= most && least <= inside && inside <= most)
          inside += entered - left
        }
        assert.strictEqual(inside, 0)
        // Until now as many are inside as the crowd will be.
        if (n === 0) assert.isAtLeast(rows.at(-1)!.most, 45)
        // The crowd that is inside now keeps no hours: nights are those before.
        const nights = rows.filter(({ from }) => from < now - 3 * HOUR)
        assert.isBelow(meanOf(nights, [0, 5]), meanOf(rows, [10, 16]) / 10)
      }
      const whole = yield* rowsOf(every[0]!)
      assert.isAbove(meanOf(whole, [12, 14]), meanOf(whole, [15, 17]))
      assert.isBelow(meanOf(whole, [10, 16], [0, 6]), meanOf(whole, [10, 16]) / 2)
      const cafeteria = yield* rowsOf(every[1 + CAMPUS.places.findIndex(({ name }) => name === "Cafeteria")]!)
      assert.isAbove(meanOf(cafeteria, [12, 14]), 1.5 * meanOf(cafeteria, [9, 11]))

      // The week is imported once.
      yield* importWeek(OWNER, crowd)
      assert.deepStrictEqual(yield* rowsOf(every[0]!), whole)
      const running = yield* Effect.forkChild(runCrowd(crowd))
      yield* TestClock.adjust("1 second")
      const first = yield* countsOf(campus)
      assert.isAbove(first.inside, SIZE / 2)
      yield* TestClock.adjust("10 minutes")
      assert.notDeepEqual(yield* countsOf(campus), first)
      yield* Fiber.interrupt(running)
      const last = yield* countsOf(campus)
      assert.deepStrictEqual([last.inside, sum(last.places)], [0, 0])
    }).pipe(
      Effect.provide(layer),
      // Before the layer is built, whose loops would go through all the time from 1970 on.
      (test) => Effect.andThen(TestClock.setTime(now), test)
    )
  )

  it.prop(
    "has visits that are shorter than the longest stay, and places within them",
    { minutes: integer(0, 7 * 24 * 60), size: integer(0, 150), seed: integer(1, STEPS) },
    ({ minutes, size, seed }) => {
      const now = MOMENTS[0]! + minutes * 60_000
      const attractions = CAMPUS.places.map(({ name }, n) => ({
        id: PlaceId.make(BigInt(n + 1)),
        within: [],
        ...attractivenessOf(name)
      }))
      // A linear congruential generator.
      let state = seed
      const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
      const visits = visitsOf({ attractions, size, now, random })
      assert.isAtLeast(visits.filter(({ exit }) => exit === now).length, Math.round(0.75 * size))
      for (const { entrance, exit, places } of visits) {
        assert.isTrue(entrance <= exit && exit <= now && exit - entrance < CAMPUS.policy.longestStay * 1000)
        let before = entrance
        for (const place of places) {
          assert.isTrue(before <= place.entrance && place.entrance <= place.exit && place.exit <= exit)
          before = place.exit
        }
      }
    },
    { arbitrary: { runs: 10 } }
  )
})
