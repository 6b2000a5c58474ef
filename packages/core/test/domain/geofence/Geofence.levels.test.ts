/** The geofence and floors: which places a position of a level enters and leaves, in which order, and compared with plain geofences. */
import { assert, describe, it } from "@effect/vitest"
import { integer, type Point, Random } from "@sojourn/testing"
import {
  type Geofence,
  type GeofenceArea,
  type GeofenceFix,
  type GeofenceState,
  type GeofenceTransition,
  GEOFENCE_DEFAULTS,
  makeGeofence,
  placeAreas
} from "../../../src/index.ts"
import { trials } from "../../trials.ts"
import { fixAt, moves, square, stay } from "./Geofence.fixtures.ts"

const OUTLINE = square(60)

/** Two floors of one outline in an organization, and a room on the upper one. The outer areas come last. */
const building: ReadonlyArray<GeofenceArea> = [
  ...placeAreas([
    { id: 12, parentId: 11, trackingArea: square(30) },
    { id: 11, parentId: 9, level: 1, trackingArea: OUTLINE },
    { id: 10, parentId: 9, level: 0, trackingArea: OUTLINE },
    { id: 9, trackingArea: OUTLINE }
  ]),
  { organizationId: 1, trackingArea: OUTLINE }
]

const INSIDE: Point = [0, 0]
const OUTSIDE: Point = [500, 0]

type Level = number | undefined

/** A fix each 10 seconds. */
const fixesOf = (points: ReadonlyArray<Point>, levels: ReadonlyArray<Level>, from = 0): ReadonlyArray<GeofenceFix> =>
  points.map((at, i) => ({ ...fixAt(from + 10 * i, at), level: levels[i] }))

const pushAll = (geofence: Geofence, fixes: ReadonlyArray<GeofenceFix>) => fixes.flatMap((fix) => geofence.push(fix))

/** Pushes fixes inside the building, of these levels. */
const climb = (geofence: Geofence, levels: ReadonlyArray<Level>, from = 0) =>
  moves(pushAll(geofence, fixesOf(stay(INSIDE, levels.length), levels, from)))

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("places of an organization", () => {
  it("have the level of the nearest ancestor that has one, else 0, and the depth of their ancestors", () => {
    const [trackingArea, place] = [OUTLINE, (id: number) => ({ id, trackingArea: OUTLINE })]
    const areas = placeAreas([
      { ...place(4), parentId: 3 },
      { ...place(3), parentId: 2 },
      { ...place(2), parentId: 1, level: -2 },
      place(1),
      { ...place(5), parentId: 2, level: 0 },
      { ...place(6), parentId: 99 }
    ])
    assert.deepStrictEqual(areas, [
      { placeId: 4, trackingArea, level: -2, depth: 4 },
      { placeId: 3, trackingArea, level: -2, depth: 3 },
      { placeId: 2, trackingArea, level: -2, depth: 2 },
      { placeId: 1, trackingArea, level: 0, depth: 1 },
      { placeId: 5, trackingArea, level: 0, depth: 3 },
      { placeId: 6, trackingArea, level: 0, depth: 1 }
    ])
  })

  it("may be parts of each other in a list that is wrong", () => {
    const cycle = [
      { id: 1, parentId: 2, trackingArea: OUTLINE },
      { id: 2, parentId: 1, level: 3, trackingArea: OUTLINE }
    ]
    assert.deepStrictEqual(
      placeAreas(cycle).map(({ level, depth }) => [level, depth]),
      [
        [3, 2],
        [3, 2]
      ]
    )
  })
})

describe("a position", () => {
  it.each([
    { title: "without a level enters all floors", level: undefined, entered: ["+1", "+p9", "+p11", "+p10", "+p12"] },
    { title: "of level 0 enters the places on it", level: 0, entered: ["+1", "+p9", "+p10"] },
    { title: "of level 1 enters the places on it", level: 1, entered: ["+1", "+p11", "+p12"] },
    { title: "of a level without places enters the organization", level: 2, entered: ["+1"] }
  ])("$title, and leaves in the opposite order", ({ level, entered }) => {
    const geofence = makeGeofence(building)
    assert.deepStrictEqual(moves(geofence.push({ ...fixAt(0, INSIDE), level })), entered)
    const away = fixesOf(stay(OUTSIDE, 8), times(8, level), 10)
    const left = entered.toReversed().map((move) => `-${move.slice(1)}`)
    assert.deepStrictEqual(moves(pushAll(geofence, away)), left)
  })

  it.each([-100, 300])("can be of level %i", (level) => {
    const geofence = makeGeofence([{ placeId: 7, level, trackingArea: OUTLINE }])
    assert.deepStrictEqual(moves(geofence.push({ ...fixAt(0, INSIDE), level })), ["+p7"])
  })

  it("whose level is null has none", () => {
    const geofence = makeGeofence(building)
    assert.strictEqual(geofence.push({ ...fixAt(0, INSIDE), level: null }).length, 5)
  })

  it.each([-101, 301, 0.5, NaN, Infinity, "1", true])("of level %s is no fix", (level) => {
    const geofence = makeGeofence(building)
    assert.deepStrictEqual(geofence.push({ ...fixAt(0, INSIDE), level: level as number }), [])
    assert.strictEqual(geofence.ignored(), 1)
    assert.isUndefined(geofence.nextCheck())
  })
})

describe("a change of floor", () => {
  const onGroundFloor = () => {
    const geofence = makeGeofence(building)
    climb(geofence, times(30, 0))
    return geofence
  }

  it("enters by the second of two fixes, and leaves by the third, with the time of the first", () => {
    const geofence = onGroundFloor()
    const [first, second, third] = [0, 10, 20].map((s) => geofence.push({ ...fixAt(300 + s, INSIDE), level: 1 }))
    assert.deepStrictEqual(
      [first, second, third].map((one) => moves(one!)),
      [[], ["+p11", "+p12"], ["-p10", "-p9"]]
    )
    const { timestamp } = fixAt(300, INSIDE)
    for (const transition of [...second!, ...third!]) assert.strictEqual(transition.timestamp, timestamp)
    assert.deepStrictEqual(
      geofence.inside().map(({ placeId }) => placeId),
      [undefined, 11, 12]
    )
  })

  it("is not shown by single fixes of another level, whatever follows them", () => {
    const geofence = onGroundFloor()
    assert.deepStrictEqual(climb(geofence, [1, 0, 0, 1, 0, undefined, 1, 0, 0, 1], 300), [])
    assert.deepStrictEqual(geofence.tick(fixAt(1000, INSIDE).timestamp), [])
  })

  it("is not shown by one fix and silence, also where the device does not rest", () => {
    const geofence = makeGeofence(building)
    climb(geofence, [0, 0, 0, 1])
    assert.deepStrictEqual(geofence.tick(fixAt(200, INSIDE).timestamp), [])
  })

  it("is not shown by fixes without a level between those of one", () => {
    const geofence = onGroundFloor()
    const levels = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 0 : undefined))
    assert.deepStrictEqual(climb(geofence, levels, 300), [])
  })

  it("to an unknown one is on all floors", () => {
    assert.deepStrictEqual(climb(onGroundFloor(), times(6, undefined), 300), ["+p11", "+p12"])
  })

  it("is shown by two fixes with minutes between them", () => {
    for (const interval of [45, 95, 300, 1200]) {
      const geofence = onGroundFloor()
      const found = [1, 2, 3].map((i) => moves(geofence.push({ ...fixAt(290 + i * interval, INSIDE), level: 1 })))
      assert.deepStrictEqual(found, [[], ["-p10", "-p9", "+p11", "+p12"], []], `${interval} s`)
    }
  })

  it("is decided by a minute of silence after two fixes", () => {
    const geofence = onGroundFloor()
    assert.deepStrictEqual(climb(geofence, [1, 1], 300), ["+p11", "+p12"])
    assert.deepStrictEqual(geofence.tick(fixAt(369, INSIDE).timestamp), [])
    assert.deepStrictEqual(moves(geofence.tick(fixAt(370, INSIDE).timestamp)), ["-p10", "-p9"])
  })

  it("is not shown by a fix inside and one of the level, which are not the same", () => {
    const geofence = makeGeofence(building)
    climb(geofence, times(5, 0))
    assert.deepStrictEqual(moves(pushAll(geofence, fixesOf([INSIDE, OUTSIDE], [1, 1], 50))), [])
  })

  it("enters nothing by a newest fix of another level, whatever came late", () => {
    const geofence = makeGeofence([{ placeId: 7, level: 1, trackingArea: OUTLINE }])
    const push = (seconds: number, at: Point, level: number) => moves(geofence.push({ ...fixAt(seconds, at), level }))
    push(0, OUTSIDE, 1)
    push(20, INSIDE, 1)
    push(36, INSIDE, 0)
    assert.deepStrictEqual(push(30, INSIDE, 1), [])
    assert.deepStrictEqual(push(45, INSIDE, 1), ["+p7"])
  })

  it("together with a way out leaves everything, inner to outer, after a minute of silence", () => {
    const geofence = onGroundFloor()
    geofence.push({ ...fixAt(900, [1000, 0]), level: 1 })
    assert.deepStrictEqual(moves(geofence.tick(fixAt(961, INSIDE).timestamp)), ["-p10", "-p9", "-1"])
  })

  it("leaves the places whose level was changed under the device", () => {
    const geofence = makeGeofence([{ placeId: 7, level: 0, trackingArea: OUTLINE }])
    climb(geofence, times(30, 0))
    geofence.update([{ placeId: 7, level: 1, trackingArea: OUTLINE }])
    assert.deepStrictEqual(climb(geofence, times(5, 0), 300), ["-p7"])
  })

  it("is no change that the circle of the next check excludes: it is for the level of the last fix", () => {
    const geofence = onGroundFloor()
    assert.isAbove(geofence.nextCheck()!.radius, 5)
    climb(geofence, [1], 300)
    assert.strictEqual(geofence.nextCheck()!.radius, 0)
    climb(geofence, times(30, 1), 310)
    assert.isAbove(geofence.nextCheck()!.radius, 5)
  })
})

/** A state that was saved by a geofence that knew no levels. */
const SAVED = {
  version: 1,
  sequence: 1,
  ignored: 0,
  now: fixAt(0, INSIDE).timestamp,
  presence: [["place 10", true, fixAt(0, INSIDE).timestamp]],
  fixes: [[fixAt(0, INSIDE).timestamp, fixAt(0, INSIDE).coords.latitude, fixAt(0, INSIDE).coords.longitude, 8]],
  late: [],
  rest: null
} as GeofenceState

describe("a saved state", () => {
  it("without levels is restored", () => {
    const geofence = makeGeofence(building, {}, SAVED)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(geofence)), SAVED)
    assert.deepStrictEqual(climb(geofence, times(5, 1), 10), ["+1", "+p11", "+p12", "-p10"])
  })

  it("has the levels of its fixes", () => {
    const geofence = makeGeofence(building)
    climb(geofence, [...times(30, 0), 1])
    const restored = makeGeofence(building, {}, JSON.parse(JSON.stringify(geofence)))
    assert.deepStrictEqual(climb(restored, [1], 310), ["+p11", "+p12"])
  })

  it.each([
    { fixes: [[1, 2, 3]] },
    { fixes: [[1, 2, 3, 4, null]] },
    { fixes: [[1, 2, 3, 4, 5, 6]] },
    { rest: [1, 2, 3, 4, 5] }
  ])("with %j is none", (wrong) => {
    const geofence = makeGeofence(building, {}, { ...SAVED, ...wrong } as GeofenceState)
    assert.deepStrictEqual(geofence.inside(), [])
  })
})

const seed = integer(0, 2 ** 31)

/** The transitions of each push and each tick, without their sequence. */
const decisions = (geofence: Geofence, fixes: ReadonlyArray<GeofenceFix>) => {
  const plain = (transitions: ReadonlyArray<GeofenceTransition>) =>
    transitions.map(({ sequence: _, ...transition }) => transition)
  return fixes.flatMap((fix, i) => {
    const pushed = plain(geofence.push(fix))
    const next = fixes[i + 1]?.timestamp ?? fix.timestamp + 200_000
    return [pushed, plain(geofence.tick(next - 1_000))]
  })
}

/** A device that stays inside and outside, on one floor after the other, and is told a wrong level now and then. */
const visitor = (seed: number) => {
  const random = Random.of(seed, 13)
  return Array.from({ length: 10 }, () => {
    const [x, y] = random.chance(0.7) ? INSIDE : OUTSIDE
    const level = random.below(3)
    const length = 14 + random.below(20)
    const wrong = 7 + random.below(length - 13)
    const again = wrong - 1 - random.below(3)
    return Array.from({ length }, (_, i) => ({
      at: [x + 3 * random.normal(), y + 3 * random.normal()] as const,
      level: i === wrong || i === again ? random.below(3) : level
    }))
  }).flat()
}

const withoutLevels = (areas: ReadonlyArray<GeofenceArea>) => areas.map(({ level: _, ...area }) => area)

describe("a geofence with floors", () => {
  it.prop(
    "decides as one without floors, of the areas on the level of all fixes, or of all areas where fixes have none",
    { seed },
    ({ seed }) => {
      const level = [undefined, 0, 1, 2][seed % 4]
      const points = visitor(seed).map(({ at }) => at)
      const there = building.filter((area) => level === undefined || area.level === undefined || area.level === level)
      assert.deepStrictEqual(
        decisions(makeGeofence(building), fixesOf(points, times(points.length, level))),
        decisions(makeGeofence(withoutLevels(there)), fixesOf(points, []))
      )
    },
    trials(100)
  )

  /** A place of rest is one for all floors: the device that is kilometres away leaves it. */
  const options = { restAfter: Infinity, unknownDepth: GEOFENCE_DEFAULTS.entranceDepth }

  it.prop(
    "decides of a floor as one without floors does, to which the fixes of other floors are kilometres away",
    { seed },
    ({ seed }) => {
      const track = visitor(seed)
      const floor = { placeId: 7, level: 1, trackingArea: OUTLINE }
      const points = track.map(({ at, level }): Point => (level === 1 ? at : [at[0] + 5_000, at[1]]))
      const fixes = fixesOf(
        track.map(({ at }) => at),
        track.map(({ level }) => level)
      )
      assert.deepStrictEqual(
        decisions(makeGeofence([floor], options), fixes),
        decisions(makeGeofence(withoutLevels([floor]), options), fixesOf(points, []))
      )
    },
    trials(200)
  )
})
