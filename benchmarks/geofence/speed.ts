/** What one fix costs against a thousand areas. */
import { areaText, degreesOf, type Origin, type Point, Random, regularPolygon } from "@sojourn/testing"
import { type GeofenceFix, makeGeofence } from "@sojourn/tracker"

const HERE: Origin = { latitude: 45.41, longitude: 11.87 }
const AREAS = 1000
const POINTS = 100
const WIDTH = 60
/** From the middle of an area to that of the next: a town of houses. */
const SPACING = 100
const ROW = 32

/** What one fix costs: microseconds of the processor, and bytes that were allocated. */
export interface Cost {
  readonly name: string
  readonly microseconds: number
  readonly bytes: number
}

const middleOf = (area: number): Point => [
  ((area % ROW) - ROW / 2) * SPACING,
  (Math.floor(area / ROW) - ROW / 2) * SPACING
]

const areas = Array.from({ length: AREAS }, (_, area) => {
  const [x, y] = middleOf(area)
  const corners = regularPolygon(POINTS, WIDTH, 0).map(([east, north]): Point => [east + x, north + y])
  return { placeId: area + 1, trackingArea: areaText(HERE, corners) }
})

const noisy = (random: Random, [x, y]: Point): Point => [x + 5 * random.normal(), y + 5 * random.normal()]

/** Where a phone is at each fix. */
const SCENES: ReadonlyArray<readonly [name: string, at: (random: Random, fix: number) => Point]> = [
  ["far from every area", (random) => noisy(random, [6000, 0])],
  ["resting between areas", (random) => noisy(random, [SPACING / 2, SPACING / 2])],
  ["resting inside of one", (random) => noisy(random, [0, 0])],
  ["walking through them", (random, fix) => noisy(random, [((fix * 14) % 3000) - 1500, ((fix * 3) % 2900) - 1450])]
]

const fixesOf = (at: (random: Random, fix: number) => Point, count: number): ReadonlyArray<GeofenceFix> => {
  const random = Random.of(1, 1)
  return Array.from({ length: count }, (_, i) => ({
    coords: { ...degreesOf(HERE, at(random, i)), accuracy: 7.5 },
    timestamp: Date.UTC(2026, 4, 4) + i * 10_000
  }))
}

const measure = (name: string, fixes: ReadonlyArray<GeofenceFix>, look: (fix: GeofenceFix) => unknown): Cost => {
  const warm = fixes.length / 2
  for (const fix of fixes.slice(0, warm)) look(fix)
  const rest = fixes.slice(warm)
  globalThis.gc?.()
  const [heap, cpu] = [process.memoryUsage().heapUsed, process.cpuUsage()]
  // By index: an iterator makes an object for each element.
  for (let i = 0; i < rest.length; i++) look(rest[i]!)
  const { user, system } = process.cpuUsage(cpu)
  const bytes = Math.max(0, process.memoryUsage().heapUsed - heap)
  return { name, microseconds: (user + system) / rest.length, bytes: bytes / rest.length }
}

/** Every area of all: what a geofence without an index does. */
const everyArea = (rings: ReadonlyArray<ReadonlyArray<readonly [number, number]>>, { coords }: GeofenceFix) =>
  rings.filter((ring) => {
    let inside = false
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!]
      const { latitude: y, longitude: x } = coords
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside
    }
    return inside
  })

/** Measures each scene with so many fixes. The bytes are right where no garbage is collected meanwhile. */
export const speed = (fixes: number): ReadonlyArray<Cost> => {
  const rings = areas.map(({ trackingArea }) => JSON.parse(trackingArea).coordinates[0])
  const ours = SCENES.map(([name, at]) => {
    const geofence = makeGeofence(areas)
    return measure(name, fixesOf(at, fixes), (fix) => geofence.push(fix))
  })
  const count = Math.max(2, 2 * Math.floor(fixes / 400))
  const plain = measure("point in polygon, every area", fixesOf(SCENES[3]![1], count), (fix) => everyArea(rings, fix))
  return [...ours, plain]
}
