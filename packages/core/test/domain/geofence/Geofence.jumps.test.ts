/** A device at rest whose position jumps, and one that moves: what the geofence holds back, and for how long. */
import { assert, describe, it } from "@effect/vitest"
import { integer, type Point, Random } from "@sojourn/testing"
import { type Geofence, type GeofenceFix, type GeofenceTransition, makeGeofence } from "../../../src/index.ts"
import { trials } from "../../trials.ts"
import { fixAt, moves, square, stay, T0 } from "./Geofence.fixtures.ts"

const seed = integer(0, 2 ** 31)

const AREA = { organizationId: 1, trackingArea: square(60) }

/** Points around one, as far as errors reach. */
const around = (random: Random, [x, y]: Point, deviation: number, count: number): ReadonlyArray<Point> =>
  Array.from({ length: count }, () => [x + deviation * random.normal(), y + deviation * random.normal()])

const fixes = (
  points: ReadonlyArray<Point>,
  { from = 0, interval = 10, accuracy = 12, ...more }: { from?: number; interval?: number; accuracy?: number } & object
): ReadonlyArray<GeofenceFix> => points.map((at, i) => ({ ...fixAt(from + interval * i, at, accuracy), ...more }))

/** A tick follows each fix. */
const push = (geofence: Geofence, all: ReadonlyArray<GeofenceFix>): ReadonlyArray<GeofenceTransition> =>
  all.flatMap((fix) => [...geofence.push(fix), ...geofence.tick(fix.timestamp + 5_000)])

const INSIDE: Point = [0, 0]

/** A device that has rested inside for half an hour. */
const resting = (random = new Random(1), deviation = 6) => {
  const geofence = makeGeofence([AREA])
  push(geofence, fixes(around(random, INSIDE, deviation, 180), { accuracy: 1.5 * deviation }))
  return geofence
}

const towards = (random: Random, metres: number): Point => {
  const angle = random.between(0, 2 * Math.PI)
  return [metres * Math.cos(angle), metres * Math.sin(angle)]
}

describe("a device at rest", () => {
  it.prop(
    "stays inside while its position jumps for up to 10 minutes and comes back, whatever accuracy it claims, saved and restored at any time",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 1)
      const deviation = random.between(4, 10)
      let geofence = resting(random, deviation)
      const transitions: Array<GeofenceTransition> = []
      let from = 1800
      for (let jump = 0; jump < 5; jump++) {
        const there = around(
          random,
          towards(random, random.between(110, 290)),
          random.between(1, 10),
          6 + random.below(54)
        )
        transitions.push(...push(geofence, fixes(there, { from, accuracy: random.between(5, 30) })))
        geofence = makeGeofence([AREA], {}, JSON.parse(JSON.stringify(geofence)))
        from += 10 * there.length
        const back = around(random, INSIDE, deviation, 6 + random.below(60))
        transitions.push(...push(geofence, fixes(back, { from, accuracy: 1.5 * deviation })))
        from += 10 * back.length
      }
      assert.deepStrictEqual(moves(transitions), [])
    },
    trials(60)
  )

  it("stays inside during a jump, by ticks of a clock that is an hour ahead of that of the fixes", () => {
    const random = new Random(5)
    const geofence = resting(random)
    const there = fixes(around(random, [150, 0], 6, 30), { from: 1800 })
    const transitions = there.flatMap((fix) => {
      const ahead = fix.timestamp + 3_600_000
      return [...geofence.tick(ahead - 5_000), ...geofence.push(fix), ...geofence.tick(ahead + 5_000)]
    })
    assert.deepStrictEqual(moves(transitions), [])
  })

  it.prop(
    "enters nothing by a jump into an area",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 2)
      const geofence = makeGeofence([AREA])
      const home = towards(random, random.between(110, 290))
      push(geofence, fixes(around(random, home, 6, 60), {}))
      const there = fixes(around(random, INSIDE, 4, 6 + random.below(54)), { from: 600, accuracy: 8 })
      const back = fixes(around(random, home, 6, 30), { from: 600 + 10 * there.length })
      assert.deepStrictEqual(moves(push(geofence, [...there, ...back])), [])
    },
    trials(60)
  )

  it("leaves, when its position stays elsewhere for longer than a jump lasts", () => {
    const geofence = resting()
    const found = fixes(stay([200, 0], 90), { from: 1800 }).flatMap((fix) =>
      moves(geofence.push(fix)).map((move) => [(fix.timestamp - T0) / 1000 - 1800, move] as const)
    )
    const [exit, ...others] = found
    assert.deepStrictEqual(others, [])
    assert.strictEqual(exit?.[1], "-1")
    assert.isAbove(exit![0], 600)
    assert.isBelow(exit![0], 720)
  })

  it("has walked where minutes are missing, unless it was seen to jump", () => {
    const walked = () => fixes(stay([200, 0], 22), { from: 2_100 })
    assert.deepStrictEqual(moves(push(resting(), walked())), ["-1"])
    const jumper = resting()
    push(jumper, fixes(stay([150, 0], 12), { from: 1800 }))
    push(jumper, fixes(stay(INSIDE, 5), { from: 1920 }))
    assert.deepStrictEqual(moves(push(jumper, walked())), [])
  })

  it("stays as long as its own sensors detect rest, and leaves at once when they detect motion", () => {
    const away = (more: object) => fixes(stay([200, 0], 120), { from: 1800, ...more })
    assert.deepStrictEqual(moves(push(resting(), away({ moving: false }))), [])
    const unseen = fixes(stay([200, 0], 22), { from: 2_100 }).map((fix) => ({ ...fix, moving: false }))
    assert.deepStrictEqual(moves(push(resting(), unseen)), ["-1"])
    const seconds = (all: ReadonlyArray<GeofenceFix>) => {
      const geofence = resting()
      return all.map((fix) => geofence.push(fix).length).indexOf(1) * 10
    }
    assert.isAtMost(seconds(away({ moving: true })), 60)
    const speeding = away({}).map((fix) => ({ ...fix, coords: { ...fix.coords, speed: 1.3 } }))
    assert.isAtMost(seconds(speeding), 60)
  })

  it("keeps its place over a silence, and over a clock that is set", () => {
    for (const shift of [3600, -3600]) {
      const random = new Random(3)
      const geofence = resting(random, 20)
      const later = fixes(around(random, INSIDE, 20, 2000), { from: 1800 + shift, accuracy: 30 })
      assert.deepStrictEqual(moves(push(geofence, later)), [], `${shift} s`)
    }
  })

  it("believes the scatter of its fixes, where the accuracy is claimed whatever the error", () => {
    const random = new Random(4)
    const geofence = makeGeofence([AREA])
    const day = fixes(around(random, INSIDE, 35, 8000), { accuracy: 20 })
    assert.deepStrictEqual(moves(push(geofence, day)), ["+1"])
  })
})

describe("a device that moves away", () => {
  it.prop(
    "leaves within 4 minutes, at any speed from 1 to 40 m/s, wherever it stops from 100 m on",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 3)
      const [speed, deviation] = [random.between(1, 1.02) * 40 ** random.fraction(), random.between(3, 10)]
      // A ride begins outside, with a walk.
      const goal = random.between(110, 400) + (speed > 3 ? 300 : 0)
      const xs: Array<number> = []
      for (let x = 0; xs.length < 60;) {
        xs.push(x)
        x = Math.min(goal, x + 10 * (x < 60 ? Math.min(speed, 1.5) : speed))
      }
      const geofence = resting(random, deviation)
      const points = xs.map((x): Point => [x + deviation * random.normal() * 0.5, deviation * random.normal() * 0.5])
      const left = fixes(points, { from: 1800, accuracy: 1.5 * deviation })
      const crossed = xs.findIndex((x) => x > 30)
      const exit = left.map((fix) => push(geofence, [fix]).length).indexOf(1)
      assert.isAtLeast(exit, crossed)
      assert.isAtMost(10 * (exit - crossed), 240, `${speed} m/s to ${goal} m`)
    },
    trials(200)
  )

  it.prop(
    "enters where it walked to, after jumps as well",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 4)
      const home: Point = [250, 0]
      const geofence = makeGeofence([AREA])
      push(geofence, fixes(around(random, home, 6, 60), {}))
      push(geofence, fixes(around(random, towards(random, 400), 4, 20), { from: 600 }))
      push(geofence, fixes(around(random, home, 6, 20), { from: 800 }))
      const way = Array.from({ length: 60 }, (_, i): Point => [Math.max(0, 250 - 13 * i), 4 * random.normal()])
      assert.deepStrictEqual(moves(push(geofence, fixes(way, { from: 1000 }))), ["+1"])
    },
    trials(60)
  )
})

describe("a device that enters a building in which fixes are poor", () => {
  const approach = Array.from({ length: 13 }, (_, i): Point => [-200 + 13 * i, 0])
  const poor = (at: Point) => fixes(stay(at, 6), { from: 130, accuracy: 95 })

  it("is inside by the walk that led in", () => {
    const geofence = makeGeofence([AREA])
    push(geofence, fixes(approach, {}))
    assert.deepStrictEqual(moves(push(geofence, poor([60, 50]))), ["+1"])
  })

  it("is not, where the walk led past, or the poor fixes are far away", () => {
    const past = makeGeofence([AREA])
    push(
      past,
      fixes(
        approach.map(([x]): Point => [x, 80]),
        {}
      )
    )
    assert.deepStrictEqual(push(past, poor([60, 130])), [])
    const far = makeGeofence([AREA])
    push(far, fixes(approach, {}))
    assert.deepStrictEqual(push(far, poor([250, 200])), [])
  })
})

describe("a state", () => {
  it("is at most 8 kB, in the worst case", () => {
    const random = new Random(5)
    const areas = Array.from({ length: 300 }, (_, i) => ({
      organizationId: 1_000_000_000 + i,
      trackingArea: square(40, [i * 100, 0])
    }))
    const geofence = makeGeofence(areas)
    let most = 0
    for (let i = 0; i < 300; i++) {
      const seconds = i * 700
      const there = fixes(around(random, [i * 100, 0], 2, 150), { from: seconds, interval: 1, accuracy: 7.123456789 })
      const jump = fixes(around(random, [i * 100, 200], 2, 60), { from: seconds + 300, interval: 2, accuracy: 7.1 })
      push(geofence, [...there.map((fix) => ({ ...fix, level: 100 })), ...jump])
      most = Math.max(most, JSON.stringify(geofence).length)
    }
    assert.isAbove(geofence.toJSON().version, 0)
    assert.isAtMost(most, 8_192)
  })
})
