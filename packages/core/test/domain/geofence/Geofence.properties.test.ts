/** The invariants of the geofence on generated tracks with noise, outliers, gaps and clocks that are set. */
import { assert, describe, it } from "@effect/vitest"
import { areaText, degreesOf, integer, type Point, Random, regularPolygon } from "@sojourn/testing"
import { Arbitrary, Schema } from "effect"
import { makeFences, metresToBorder } from "../../../src/domain/geofence/Fence.ts"
import {
  type Geofence,
  type GeofenceArea,
  type GeofenceFix,
  type GeofenceTransition,
  makeGeofence
} from "../../../src/index.ts"
import { trials } from "../../trials.ts"
import { fixAt, moves, square, T0 } from "./Geofence.fixtures.ts"

const seed = integer(0, 2 ** 31)

/** A place in an organization, a place in that, one on another floor, and another organization beside them. */
const nested: ReadonlyArray<GeofenceArea> = [
  { placeId: 7, trackingArea: square(60), level: 1 },
  { organizationId: 1, trackingArea: square(160) },
  { placeId: 8, trackingArea: square(30), level: 1 },
  { placeId: 9, trackingArea: square(60), level: 2 },
  { organizationId: 2, trackingArea: square(100, [130, 0]) }
]

/** Which areas of `nested` lie inside which. */
const OUTER: Readonly<Record<string, string>> = { p7: "1", p8: "p7", p9: "1" }

/** Some accuracies are wrong. */
const signed = (fix: GeofenceFix, random: Random): GeofenceFix =>
  random.chance(0.02) ? { ...fix, coords: { ...fix.coords, accuracy: random.between(0.1, 300) } } : fix

/** A phone that wanders and jumps in and around the areas, with noise, outliers, silences and a clock that is set. Half know floors. */
const wandering = (seed: number, count: number): ReadonlyArray<GeofenceFix> => {
  const random = Random.of(seed, 7)
  const noise = random.between(2, 30)
  let at: Point = [random.between(-200, 200), random.between(-200, 200)]
  let aim = at
  let seconds = 0
  const levels = seed % 2 === 0 ? [undefined] : [1, 1, 2, undefined]
  let level: number | undefined
  return Array.from({ length: count }, () => {
    if (random.chance(0.05)) level = random.pick(levels)
    if (random.chance(0.03)) aim = [random.between(-250, 250), random.between(-150, 150)]
    seconds += random.weighted([
      [60, 10],
      [5, 1],
      [5, 60],
      [2, 400],
      [2, -15],
      [1, -4000],
      [1, 4000]
    ])
    at = [at[0] + (aim[0] - at[0]) * 0.2, at[1] + (aim[1] - at[1]) * 0.2]
    const off = random.chance(0.01) ? 400 : noise
    const fix = fixAt(seconds, [at[0] + off * random.normal(), at[1] + off * random.normal()], 1.5 * noise)
    return signed({ ...fix, level: random.chance(0.05) ? random.pick(levels) : level }, random)
  })
}

/** All transitions of pushes, with a tick after some of them. */
const run = (geofence: Geofence, fixes: ReadonlyArray<GeofenceFix>): ReadonlyArray<ReadonlyArray<GeofenceTransition>> =>
  fixes.flatMap((fix, i) => [geofence.push(fix), i % 3 === 0 ? geofence.tick(fix.timestamp + 25_000) : []])

describe("a geofence", () => {
  it.prop(
    "alternates, counts from 1, and turns time back with the clock alone, between visits",
    { seed },
    ({ seed }) => {
      const fixes = wandering(seed, 300)
      const isSetBack = fixes.some(({ timestamp }, i) =>
        fixes.slice(0, i).some((one) => one.timestamp > timestamp + 30_000)
      )
      const transitions = run(makeGeofence(nested), fixes).flat()
      assert.deepStrictEqual(
        transitions.map(({ sequence }) => sequence),
        transitions.map((_, i) => i + 1)
      )
      for (const premises of ["1", "2", "p7", "p8", "p9"]) {
        const own = transitions.filter((one) => moves([one])[0]!.slice(1) === premises)
        own.forEach(({ movement, timestamp }, i) => {
          assert.strictEqual(movement, i % 2 === 0 ? "entrance" : "exit")
          if (movement === "exit" || !isSetBack) assert.isAtLeast(timestamp, own[i - 1]?.timestamp ?? -Infinity)
        })
      }
    },
    trials(150)
  )

  it.prop(
    "is never inside of an area without the one around it, and keeps their order",
    { seed },
    ({ seed }) => {
      const geofence = makeGeofence(nested)
      for (const batch of run(geofence, wandering(seed, 300))) {
        const names = moves(batch)
        for (const [inner, outer] of Object.entries(OUTER)) {
          const [entered, left] = [names.indexOf(`+${inner}`), names.indexOf(`-${outer}`)]
          if (entered >= 0) assert.isBelow(names.indexOf(`+${outer}`), entered)
          if (left >= 0) assert.isBelow(names.indexOf(`-${inner}`), left)
        }
      }
      const inside = new Set(
        geofence
          .inside()
          .map(({ organizationId, placeId }) => (placeId === undefined ? `${organizationId}` : `p${placeId}`))
      )
      for (const [inner, outer] of Object.entries(OUTER)) if (inside.has(inner)) assert.isTrue(inside.has(outer))
    },
    trials(150)
  )

  it.prop(
    "goes on as it would have, saved and restored at any point",
    { seed },
    ({ seed }) => {
      const fixes = wandering(seed, 200)
      const expected = run(makeGeofence(nested), fixes)
      let geofence = makeGeofence(nested)
      const found = fixes.flatMap((fix, i) => {
        const restored = () => (geofence = makeGeofence(nested, {}, JSON.parse(JSON.stringify(geofence))))
        return [restored().push(fix), i % 3 === 0 ? restored().tick(fix.timestamp + 25_000) : []]
      })
      assert.deepStrictEqual(found, expected)
    },
    trials(20)
  )

  it.prop(
    "decides nothing inside the circle of the next check",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 3)
      const geofence = makeGeofence(nested)
      for (const fix of wandering(seed, 100)) {
        geofence.push(fix)
        const circle = geofence.nextCheck()
        if (circle === undefined || circle.radius === 0) continue
        const saved = JSON.stringify(geofence)
        const within = makeGeofence(nested, {}, JSON.parse(saved))
        const { timestamp, level } = fix
        for (let i = 1; i <= 8; i++) {
          const [angle, radius] = [random.between(0, 2 * Math.PI), 0.99 * circle.radius]
          const latitude = circle.latitude + (radius * Math.sin(angle)) / 111_700
          const longitude =
            circle.longitude + (radius * Math.cos(angle)) / (111_700 * Math.cos((circle.latitude * Math.PI) / 180))
          const moved = within.push({
            coords: { latitude, longitude, accuracy: 10 },
            timestamp: timestamp + i * 10_000,
            level
          })
          assert.deepStrictEqual(moved, [])
        }
      }
    },
    trials(40)
  )

  it.prop(
    "decides nothing by a single outlier, whatever its accuracy",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 5)
      const isInside = random.chance(0.5)
      const [there, elsewhere]: readonly [Point, Point] = isInside
        ? [
            [0, 0],
            [400, 0]
          ]
        : [
            [400, 0],
            [0, 0]
          ]
      const geofence = makeGeofence([{ organizationId: 1, trackingArea: square(random.between(100, 300)) }])
      const [interval, alone] = [random.pick([1, 10, 30]), 3 + random.below(40)]
      const transitions: Array<GeofenceTransition> = []
      for (let i = 0; i < 60; i++) {
        const isOutlier = i === alone
        const fix = fixAt(i * interval, isOutlier ? elsewhere : there, isOutlier ? random.between(0.5, 60) : 8)
        transitions.push(...geofence.push(fix), ...geofence.tick(fix.timestamp + random.below(interval * 1000)))
      }
      assert.deepStrictEqual(moves(transitions), isInside ? ["+1"] : [])
    },
    trials(200)
  )

  it.prop(
    "throws at nothing, and counts what it ignores",
    { garbage: Arbitrary.array(Arbitrary.schema(Schema.Json), { minLength: 1, maxLength: 20 }), seed },
    ({ garbage, seed }) => {
      const random = Random.of(seed, 9)
      const odd = [NaN, Infinity, -Infinity, 0, -0, 1e308, -180, 180, 90, -90, 91, 1e-320, undefined, null, "0"]
      const number = () => random.pick(odd) as number
      const geofence = makeGeofence(nested)
      for (const one of garbage) {
        geofence.push(one as never)
        geofence.push({ coords: one, timestamp: T0 } as never)
        geofence.push({ coords: { latitude: number(), longitude: number(), accuracy: number() }, timestamp: number() })
        geofence.tick(one as never)
        geofence.tick(number())
        makeGeofence(nested, {}, one as never).push(fixAt(0, [0, 0]))
      }
      assert.isAtLeast(geofence.ignored(), garbage.length)
      assert.isTrue(geofence.inside().every(({ since }) => Number.isFinite(since)))
      assert.doesNotThrow(() => makeGeofence(nested, {}, JSON.parse(JSON.stringify(geofence))))
    },
    trials(100)
  )

  it.prop(
    "puts fixes in order that come late by up to 30 s",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 11)
      const fixes = Array.from({ length: 40 }, (_, i) => fixAt(i * 10, [2000 + i, 0]))
      const late = fixes
        .map((fix) => ({ fix, arrived: fix.timestamp + (random.chance(0.3) ? random.between(0, 30_000) : 0) }))
        .sort((a, b) => a.arrived - b.arrived)
      const [ordered, disordered] = [makeGeofence(nested), makeGeofence(nested)]
      for (const fix of fixes) ordered.push(fix)
      for (const { fix } of late) disordered.push(fix)
      const fixesOf = (geofence: Geofence) => (geofence.toJSON() as { fixes?: unknown }).fixes
      assert.deepStrictEqual(fixesOf(disordered), fixesOf(ordered))
      assert.strictEqual(disordered.ignored(), 0)
    },
    trials(100)
  )

  it.prop(
    "tells a distance above the farthest one of interest as one that is above it too, anywhere on earth",
    { seed },
    ({ seed }) => {
      const random = Random.of(seed, 3)
      const origin = { latitude: random.between(-89.9, 89.9), longitude: random.between(-179, 179) }
      const width = random.between(5, 400)
      const trackingArea = areaText(
        origin,
        regularPolygon(3 + Math.floor(random.between(0, 30)), width, random.between(0, 3))
      )
      const [fence] = makeFences([{ placeId: 1, trackingArea }])
      const at: Point = [random.between(-2 * width, 2 * width), random.between(-2 * width, 2 * width)]
      const { latitude, longitude } = degreesOf(origin, at)
      const exact = metresToBorder(fence!, latitude, longitude)
      const farthest = random.between(-width, width)
      const reportedAccuracy = metresToBorder(fence!, latitude, longitude, farthest)
      assert.isTrue(
        reportedAccuracy === exact || (reportedAccuracy > farthest && reportedAccuracy <= exact + 1e-9),
        `${reportedAccuracy}, exactly ${exact}`
      )
    },
    trials(500)
  )
})
