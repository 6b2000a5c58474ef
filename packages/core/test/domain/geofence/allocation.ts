/**
 * Prints how many bytes a fix allocates. The young generation is larger than what all fixes of a round leave, so that nothing is
 * collected meanwhile. The least of several rounds counts: the others are of code that is still compiled.
 */
import { areaText, degreesOf, type Point, Random, regularPolygon } from "@sojourn/testing"
import { makeGeofence } from "../../../src/domain/geofence/Geofence.ts"
import { HERE, T0 } from "./Geofence.fixtures.ts"

const ROUNDS = 8
const FIXES = 20_000

/** Where the device rests, and the standard deviation of its fixes. */
const PLACES: Readonly<Record<string, readonly [Point, deviation: number]>> = {
  inside: [[0, 0], 12],
  near: [[45, 0], 8],
  far: [[20_000, 0], 8]
}

const areas = Array.from({ length: 1000 }, (_, i) => {
  const [x, y] = [(i % 32) * 300 - 4800, Math.floor(i / 32) * 300 - 4800]
  const corners = regularPolygon(100, 60, 0).map(([east, north]): Point => [east + x, north + y])
  return { placeId: i + 1, trackingArea: areaText(HERE, corners) }
})

const [[x, y], deviation] = PLACES[process.argv[2]!]!
const random = new Random(5)
const rounds = Array.from({ length: ROUNDS }, (_, round) =>
  Array.from({ length: FIXES }, (_, i) => {
    const at: Point = [x + deviation * random.normal(), y + deviation * random.normal()]
    const coords = { ...degreesOf(HERE, at), accuracy: 1.5 * deviation, speed: null }
    return { coords, timestamp: T0 + (round * FIXES + i) * 10_000 }
  })
)

const geofence = makeGeofence(areas)
const bytes = rounds.map((fixes) => {
  globalThis.gc!()
  const before = process.memoryUsage().heapUsed
  for (const fix of fixes) geofence.push(fix)
  return (process.memoryUsage().heapUsed - before) / FIXES
})
console.log(Math.min(...bytes))
