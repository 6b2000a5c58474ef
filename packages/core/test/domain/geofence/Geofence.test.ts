/** The decisions of the geofence by example: entrances, exits, nested areas, late fixes, and the next check. */
import { assert, describe, it } from "@effect/vitest"
import type { Origin, Point } from "@sojourn/testing"
import { type GeofenceFix, makeGeofence } from "../../../src/index.ts"
import { along, fixAt, moves, square, stay, T0, walk } from "./Geofence.fixtures.ts"

const organization = { organizationId: 1, trackingArea: square(100) }

describe("an entrance", () => {
  it("is reported at the first fix, if it lies well inside", () => {
    const geofence = makeGeofence([organization])
    assert.deepStrictEqual(geofence.push(fixAt(0, [0, 0])), [
      { movement: "entrance", organizationId: 1, timestamp: T0, sequence: 1 }
    ])
    assert.deepStrictEqual(geofence.inside(), [{ organizationId: 1, since: T0 }])
  })

  it("is not told of a first fix outside, nor of one whose accuracy is worse than 100 m or the area's size", () => {
    const large = { organizationId: 2, trackingArea: square(1000) }
    const after = (accuracy: number) => {
      const geofence = makeGeofence([organization, large])
      return moves(walk(geofence, stay([0, 0], 20), { accuracy }))
    }
    assert.deepStrictEqual(after(101), [])
    assert.deepStrictEqual(after(99), ["+2"].concat(after(99).slice(1)))
    assert.notInclude(after(120), "+1")
    assert.deepStrictEqual(moves(walk(makeGeofence([organization]), stay([0, 60], 20))), [])
  })

  it("has the time of the first fix that showed it", () => {
    const geofence = makeGeofence([organization])
    const [entrance] = walk(geofence, along(-150, -135, -120, -90, -70, -40, -20, 0))
    assert.strictEqual(entrance?.timestamp, T0 + 50_000)
  })

  it("needs both of two fixes, since one moves the middle of them", () => {
    const geofence = makeGeofence([organization])
    const xs = [-130, -100, -70, 20, -70, -70]
    const transitions = xs.flatMap((x, i) => geofence.push(fixAt(20 * i, [x, 0])))
    assert.deepStrictEqual(transitions, [])
  })

  it("stands, where a rest before it would be known only after it", () => {
    for (let rested = 5; rested <= 20; rested++) {
      const geofence = makeGeofence([organization])
      assert.deepStrictEqual(moves(walk(geofence, [...stay([-600, 0], rested), ...stay([0, 0], 12)])), ["+1"])
    }
  })

  it("is decided by time, when no other fix follows one that is not sure", () => {
    const geofence = makeGeofence([organization])
    assert.deepStrictEqual(walk(geofence, along(-90, -76, -62, -40)), [])
    assert.deepStrictEqual(geofence.tick(T0 + 35_000), [])
    assert.deepStrictEqual(moves(geofence.tick(T0 + 60_000)), ["+1"])
    assert.deepStrictEqual(geofence.inside(), [{ organizationId: 1, since: T0 + 30_000 }])
  })
})

describe("an exit", () => {
  const inside = () => {
    const geofence = makeGeofence([organization])
    walk(geofence, stay([0, 0], 30))
    return geofence
  }

  it("is reported for a walk away, with the time of the first fix outside", () => {
    const away = along(10, 30, 45, 60, 75, 90, 105, 120, 135, 150, 165)
    const [exit, ...others] = walk(inside(), away, { from: 300 })
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(exit, { movement: "exit", organizationId: 1, timestamp: T0 + 330_000, sequence: 2 })
  })

  it("is reported for two sparse fixes far away, and for one after a minute", () => {
    const geofence = inside()
    geofence.push(fixAt(600, [3000, 0]))
    assert.deepStrictEqual(moves(geofence.push(fixAt(660, [3050, 0]))), ["-1"])
    const other = inside()
    other.push(fixAt(600, [1000, 0]))
    assert.deepStrictEqual(other.tick(T0 + 630_000), [])
    assert.deepStrictEqual(moves(other.tick(T0 + 661_000)), ["-1"])
  })

  it("is not told of fixes that lie outside on opposite sides", () => {
    const apart: ReadonlyArray<Point> = [
      [300, 0],
      [0, 0],
      [-300, 0],
      [0, 0],
      [0, 300]
    ]
    assert.deepStrictEqual(walk(inside(), apart, { from: 300 }), [])
  })

  it("is not told of a few metres beyond the border, nor of silence, which makes the state stale", () => {
    const geofence = inside()
    assert.deepStrictEqual(walk(geofence, stay([55, 0], 60), { from: 300 }), [])
    assert.isFalse(geofence.stale())
    assert.deepStrictEqual(geofence.tick(T0 + 7_200_000), [])
    assert.isTrue(geofence.stale())
    assert.deepStrictEqual(geofence.inside(), [{ organizationId: 1, since: T0 }])
    geofence.push(fixAt(7201, [0, 0]))
    assert.isFalse(geofence.stale())
  })
})

describe("a visit", () => {
  const track = (interval: number, xs: ReadonlyArray<number>) => {
    const geofence = makeGeofence([{ organizationId: 1, trackingArea: square(100) }])
    return xs.flatMap((x, i) => geofence.push(fixAt(i * interval, [x, 0])))
  }

  it("is one, however fast the device comes and goes, and however often it knows where it is", () => {
    for (const interval of [1, 2, 5, 10]) {
      for (const speed of [1.4, 3, 5, 10, 30]) {
        const there = (seconds: number) => Math.max(0, 400 - speed * seconds)
        const count = Math.ceil((400 / speed + 300) / interval)
        const xs = Array.from({ length: count }, (_, i) => there(i * interval))
        const transitions = track(interval, [
          ...xs,
          ...xs.toReversed(),
          ...xs.slice(0, 1),
          ...stay([400, 0], 99).map(([x]) => x)
        ])
        assert.deepStrictEqual(moves(transitions), ["+1", "-1"], `a fix each ${interval} s, ${speed} m/s`)
      }
    }
  })

  it("is shown by two fixes with minutes in between, up to half an hour", () => {
    for (const interval of [60, 95, 120, 240, 300, 900, 1800]) {
      const transitions = track(interval, [...Array(6).fill(900), ...Array(6).fill(0), ...Array(6).fill(900)])
      assert.deepStrictEqual(
        transitions.map(({ movement, timestamp }) => [movement, (timestamp - T0) / 1000]),
        [
          ["entrance", 6 * interval],
          ["exit", 12 * interval]
        ]
      )
    }
    assert.deepStrictEqual(track(1801, [900, 0, 0, 0]), [])
  })
})

describe("areas that touch or nest", () => {
  const areas = [
    { placeId: 8, trackingArea: square(40, [30, 0]) },
    { placeId: 7, trackingArea: square(40, [-10, 0]) },
    organization
  ]

  it("are changed from one to the other", () => {
    const geofence = makeGeofence(areas)
    walk(geofence, stay([-20, 0], 5))
    const across = moves(walk(geofence, stay([49, 0], 40), { from: 60 }))
    assert.deepStrictEqual(across, ["-p7", "+p8"])
  })

  it("are left before the one beside them is entered, with times in order", () => {
    for (const [speed, interval] of [
      [1, 10],
      [1.4, 10],
      [2, 5],
      [1.4, 30],
      [1.4, 60]
    ] as const) {
      const geofence = makeGeofence([
        { placeId: 7, trackingArea: square(200, [-100, 0]) },
        { placeId: 8, trackingArea: square(200, [100, 0]) }
      ])
      const xs = [...Array(30).fill(-120), ...Array.from({ length: 600 }, (_, i) => Math.min(150, -120 + speed * i))]
      const transitions = xs.flatMap((x, i) => (i % interval === 0 ? geofence.push(fixAt(i, [x, 0])) : []))
      assert.deepStrictEqual(moves(transitions), ["+p7", "-p7", "+p8"], `${speed} m/s, each ${interval} s`)
      assert.isAtMost(transitions[1]!.timestamp, transitions[2]!.timestamp)
    }
  })

  it("have holes, which are outside", () => {
    const [shell, hole] = [400, 200].map((side) => JSON.parse(square(side)).coordinates[0])
    const ring = { organizationId: 1, trackingArea: JSON.stringify({ type: "Polygon", coordinates: [shell, hole] }) }
    const geofence = makeGeofence([ring])
    assert.deepStrictEqual(walk(geofence, stay([0, 0], 20)), [])
    assert.deepStrictEqual(moves(walk(geofence, stay([150, 0], 10), { from: 300 })), ["+1"])
    assert.deepStrictEqual(moves(walk(geofence, stay([0, 0], 20), { from: 600 })), ["-1"])
  })
})

describe("fixes that come late, twice or from another clock", () => {
  const approach = along(-300, -200, -100, -20, 0, 0, 0)

  it("are put in order within 30 s, and dropped when they are older or repeated", () => {
    const geofence = makeGeofence([organization])
    for (const i of [0, 2, 1, 3, 5, 4, 6, 6, 2]) geofence.push(fixAt(10 * i, approach[i]!))
    const ordered = makeGeofence([organization])
    walk(ordered, approach)
    assert.deepStrictEqual(geofence.inside(), ordered.inside())
    assert.deepStrictEqual([ordered.ignored(), geofence.ignored()], [0, 2])
  })

  it("begin anew when three in a row show that the clock was set back", () => {
    const geofence = makeGeofence([organization])
    walk(geofence, stay([0, 0], 10))
    const exits = walk(geofence, stay([500, 0], 8), { from: -3600 })
    assert.deepStrictEqual(moves(exits), ["-1"])
    assert.strictEqual(geofence.ignored(), 2)
    assert.isAtLeast(exits[0]!.timestamp, T0)
  })

  it("do not lose the phone to a single fix from the future", () => {
    const geofence = makeGeofence([organization])
    walk(geofence, stay([0, 0], 10))
    geofence.push(fixAt(1e9, [0, 0]))
    assert.deepStrictEqual(moves(walk(geofence, stay([500, 0], 10), { from: 100 })), ["-1"])
  })
})

describe("what is no fix", () => {
  const fix = fixAt(0, [0, 0])
  const garbage: ReadonlyArray<unknown> = [
    undefined,
    null,
    1,
    "fix",
    [],
    {},
    { coords: null, timestamp: T0 },
    { coords: fix.coords },
    ...["latitude", "longitude", "accuracy"].flatMap((field) =>
      [NaN, Infinity, -Infinity, 181, "1", null, undefined]
        .filter((value) => field !== "accuracy" || value !== 181)
        .map((value) => ({ ...fix, coords: { ...fix.coords, [field]: value } }))
    ),
    {
      get coords(): never {
        throw new Error("gone")
      }
    },
    { ...fix, coords: Object.defineProperty({ ...fix.coords }, "latitude", { get: () => [].at(0)!["gone"] }) },
    { ...fix, coords: { latitude: 0, longitude: 0, accuracy: 5 } },
    ...[NaN, Infinity, "1", null, 1e300].map((timestamp) => ({ ...fix, timestamp }))
  ]

  it("is ignored and counted, and changes nothing", () => {
    const geofence = makeGeofence([organization])
    const before = JSON.stringify({ ...geofence.toJSON(), ignored: 0 })
    for (const one of garbage) assert.deepStrictEqual(geofence.push(one as GeofenceFix), [])
    assert.strictEqual(geofence.ignored(), garbage.length)
    for (const now of [NaN, Infinity, undefined, "1"]) assert.deepStrictEqual(geofence.tick(now as number), [])
    assert.strictEqual(JSON.stringify({ ...geofence.toJSON(), ignored: 0 }), before)
  })
})

describe("a fix that lacks something", () => {
  const geofence = () => makeGeofence([{ organizationId: 1, trackingArea: square(400) }])
  const fix = fixAt(0, [0, 0])

  it("has a member left out that is null", () => {
    const coords = { ...fix.coords, speed: null, altitude: null, heading: null }
    assert.deepStrictEqual(moves(geofence().push({ ...fix, coords, level: null, moving: null })), ["+1"])
  })

  it.each([0, -1])("has an accuracy of 100 m for one of %i", (accuracy) => {
    const [known, unknown] = [geofence(), geofence()]
    const found = stay([30, 0], 20).map((at, i) => unknown.push(fixAt(10 * i, at, accuracy)))
    assert.deepStrictEqual(
      found,
      stay([30, 0], 20).map((at, i) => known.push(fixAt(10 * i, at, 100)))
    )
    assert.strictEqual(unknown.ignored(), 0)
  })

  it("is counted by what it lacks", () => {
    const counted = geofence()
    counted.push({ ...fix, coords: { ...fix.coords, accuracy: NaN } })
    counted.push({ ...fix, coords: { ...fix.coords, latitude: 91 } })
    counted.push({ ...fix, level: 0.5 })
    counted.push({ ...fix, timestamp: NaN })
    counted.push(fix)
    counted.push(fix)
    assert.deepStrictEqual(counted.ignoredFor(), { accuracy: 1, timestamp: 2, coordinates: 1, level: 1 })
    const restored = makeGeofence([organization], {}, JSON.parse(JSON.stringify(counted)))
    assert.deepStrictEqual(restored.ignoredFor(), counted.ignoredFor())
    assert.strictEqual(restored.ignored(), 5)
  })

  it("counts from another time, where it is dated 30 days from the device's own clock", () => {
    const counted = geofence()
    counted.tick(T0)
    for (const year of [1970, 1995, 2055]) counted.push({ ...fix, timestamp: Date.UTC(year, 0, 2) })
    assert.deepStrictEqual(counted.ignoredFor(), { accuracy: 0, timestamp: 3, coordinates: 0, level: 0 })
    assert.deepStrictEqual(moves(counted.push({ ...fix, timestamp: T0 - 29 * 86_400_000 })), ["+1"])
  })
})

describe("the ends of the earth", () => {
  const visited = (origin: Origin) => {
    const geofence = makeGeofence([{ organizationId: 1, trackingArea: square(100, [60, 0], origin) }])
    const across = along(-200, -100, 0, 40, 60, 60, 60)
    const back = [...across.toReversed(), ...stay([-200, 0], 5)]
    return [...moves(walk(geofence, across, { origin })), ...moves(walk(geofence, back, { origin, from: 100 }))]
  }

  it("are as good as any place", () => {
    assert.deepStrictEqual(visited({ latitude: -16.8, longitude: 179.9999 - 0.001 }), ["+1", "-1"])
    assert.deepStrictEqual(visited({ latitude: 84, longitude: -179.9999 }), ["+1", "-1"])
    assert.deepStrictEqual(visited({ latitude: 0.0001, longitude: 0.0001 }), ["+1", "-1"])
  })

  it("may be on both sides of the antimeridian: what is near is near", () => {
    const west = { latitude: -16.8, longitude: 179.9999 }
    const geofence = makeGeofence([{ organizationId: 1, trackingArea: square(100, [-60, 0], west) }])
    geofence.push(fixAt(0, [40, 0], 8, west))
    assert.isAbove(geofence.push(fixAt(10, [40, 0], 8, west)).length + geofence.nextCheck()!.radius, 0)
    assert.isBelow(geofence.nextCheck()!.radius, 60)
  })

  it("may be a pole", () => {
    const [west, east] = [-80, 80]
    const ring = [
      [west, 89.9],
      [0, 89.9],
      [east, 89.9],
      [east, 90],
      [0, 90],
      [west, 90],
      [west, 89.9]
    ]
    const sector = { type: "Polygon", coordinates: [ring] }
    const geofence = makeGeofence([{ organizationId: 1, trackingArea: JSON.stringify(sector) }])
    for (let i = 0; i < 30; i++) {
      const coords = { latitude: i % 2 ? 90 : 89.9999, longitude: (i * 77) % 180, accuracy: 10 }
      geofence.push({ coords, timestamp: T0 + i * 10_000 })
    }
    assert.strictEqual(geofence.ignored(), 0)
    for (let i = 0; i < 30; i++) {
      geofence.push({ coords: { latitude: 89.95, longitude: 10, accuracy: 10 }, timestamp: T0 + 300_000 + i * 10_000 })
    }
    assert.strictEqual(geofence.inside().length, 1)
  })
})

describe("other areas", () => {
  it("are refused with the name of the premises, and change nothing then", () => {
    const geofence = makeGeofence([organization])
    geofence.push(fixAt(0, [0, 0]))
    const wrong = { placeId: 7, trackingArea: "nowhere" }
    assert.throws(() => makeGeofence([wrong]), /place 7.*not JSON/)
    assert.throws(() => geofence.update([wrong]), /place 7/)
    assert.throws(() => makeGeofence([organization, organization]), /two areas of organization 1/)
    assert.throws(() => makeGeofence([{ trackingArea: square(10) } as never]), /organizationId/)
    assert.deepStrictEqual(geofence.inside(), [{ organizationId: 1, since: T0 }])
  })

  it("are left when they are gone, inner to outer, and decide from the next fix on", () => {
    const geofence = makeGeofence([organization, { placeId: 7, trackingArea: square(60) }])
    walk(geofence, stay([0, 0], 5))
    assert.deepStrictEqual(moves(geofence.update([{ organizationId: 2, trackingArea: square(100) }])), ["-p7", "-1"])
    assert.deepStrictEqual(moves(walk(geofence, stay([0, 0], 5), { from: 50 })), ["+2"])
  })

  it("that come back are entered anew, by no fix of the visit before", () => {
    const geofence = makeGeofence([organization])
    walk(geofence, stay([0, 0], 5))
    const [exit] = geofence.update([])
    assert.deepStrictEqual(geofence.update([organization]), [])
    const [entrance] = walk(geofence, stay([0, 0], 5), { from: 50 })
    assert.isAtLeast(entrance!.timestamp, exit!.timestamp)
  })
})

describe("the next check", () => {
  it("is a circle up to the nearest border, wherever the phone is", () => {
    const geofence = makeGeofence([organization])
    assert.isUndefined(geofence.nextCheck())
    geofence.push(fixAt(0, [1050, 0]))
    const { radius, ...centre } = geofence.nextCheck()!
    assert.deepInclude(fixAt(0, [1050, 0]).coords, centre)
    assert.isAtMost(radius, 1000.1)
    assert.isAtLeast(radius, 600)
  })

  it("is known after a restore and after other areas", () => {
    const geofence = makeGeofence([organization])
    geofence.push(fixAt(0, [1050, 0]))
    const circle = geofence.nextCheck()
    assert.deepStrictEqual(makeGeofence([organization], {}, geofence.toJSON()).nextCheck(), circle)
    geofence.update([organization, { placeId: 7, trackingArea: square(100, [550, 0]) }])
    assert.isAbove(geofence.nextCheck()!.radius, 200)
    assert.isAtMost(geofence.nextCheck()!.radius, 450)
  })
})
