/** Generated tracks of phones whose truth is known: what a geofence is measured with. */
import type { GeofenceArea } from "@sojourn/core"
import { Random } from "./Random.ts"
import { type AnyPositioning, fixesOf, type Measured, urban, type Whereabouts } from "./noise.ts"
import { areaText, distanceTo, type Origin, type Point, regularPolygon } from "./plane.ts"

/** A time during which the person was truly inside the area, in milliseconds since 1970. */
export interface TrueVisit {
  readonly from: number
  readonly to: number
}

/** An area, what a phone measured in and around it, and the truth. */
export interface Track extends Measured {
  readonly area: GeofenceArea
  readonly visits: ReadonlyArray<TrueVisit>
  readonly from: number
  readonly to: number
}

/** How a track is made. */
export interface TrackOptions {
  readonly positioning?: AnyPositioning
  /** The time between two fixes, in milliseconds. */
  readonly interval?: number
}

const PREMISES = { organizationId: 1 }
const BEGIN = Date.UTC(2026, 4, 4, 16)
const MINUTE = 60_000

const anyOrigin = (random: Random): Origin => ({
  latitude: random.between(-60, 70),
  longitude: random.between(-180, 180)
})

/**
 * A phone that lies still: `metres` outside the border of an area 60 m wide, or in its middle when they are below 0. Unless it is said, it
 * is indoors in the area alone.
 */
export const stillTrack = (
  seed: number,
  {
    metres,
    isIndoors = metres < 0,
    hours = 24,
    positioning = urban,
    interval = 10_000
  }: TrackOptions & { metres: number; isIndoors?: boolean; hours?: number }
): Track => {
  const random = Random.of(seed, 1)
  const origin = anyOrigin(random)
  const corners = regularPolygon(4, 60, random.between(0, Math.PI))
  const [[ax, ay], [bx, by]] = [corners[0]!, corners[1]!]
  // On a line through the middle of a side: outside it, or inside.
  const scale = metres < 0 ? 0 : (30 + metres) / 30
  const at: Point = [((ax + bx) / 2) * scale, ((ay + by) / 2) * scale]
  const [from, to] = [BEGIN, BEGIN + hours * 60 * MINUTE]
  const measured = fixesOf(random, origin, () => ({ at, isIndoors }), { from, to, interval, positioning })
  const visits = metres < 0 ? [{ from, to }] : []
  return { area: { ...PREMISES, trackingArea: areaText(origin, corners) }, ...measured, visits, from, to }
}

/** A stretch of a walk, straight and of even speed; a stay where its ends are one. */
interface Leg {
  readonly from: number
  readonly to: number
  readonly start: Point
  readonly end: Point
}

/** A point this far outside the border, in any direction. */
const around = (random: Random, corners: ReadonlyArray<Point>, metres: number): Point => {
  const angle = random.between(0, 2 * Math.PI)
  const at = (radius: number): Point => [radius * Math.cos(angle), radius * Math.sin(angle)]
  let [near, far] = [0, 2000]
  while (far - near > 0.1) {
    const middle = (near + far) / 2
    if (distanceTo(corners, at(middle)) < metres) near = middle
    else far = middle
  }
  return at(far)
}

/** Metres to the border that every walk and every stay keeps. */
const CLEARANCE = 10

const within = (random: Random, corners: ReadonlyArray<Point>): Point => {
  let at: Point
  do at = [random.between(-300, 300), random.between(-300, 300)]
  while (distanceTo(corners, at) >= -CLEARANCE)
  return at
}

/** What the person does next near the area: where, and for how long. */
const errand = (random: Random, corners: ReadonlyArray<Point>): readonly [Point, stay: number] =>
  random.weighted([
    // A visit.
    [50, () => [within(random, corners), random.between(5, 60) * MINUTE] as const],
    // Only in and out again.
    [10, () => [within(random, corners), random.between(0.5, 5) * MINUTE] as const],
    // Lingering beside it.
    [15, () => [around(random, corners, random.between(20, 60)), random.between(2, 10) * MINUTE] as const],
    // Passing by.
    [25, () => [around(random, corners, random.between(15, 100)), 0] as const]
  ])()

const away = (random: Random, corners: ReadonlyArray<Point>): readonly [Point, stay: number] => [
  around(random, corners, random.between(100, 400)),
  random.between(0, 20) * MINUTE
]

/** Whether a straight way leads past the area at a distance, into it, or out of it. */
const isWay = (corners: ReadonlyArray<Point>, start: Point, end: Point): boolean => {
  const nearest = Math.min(
    ...Array.from({ length: 101 }, (_, i) => {
      const part = i / 100
      return distanceTo(corners, [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])])
    })
  )
  return nearest < -CLEARANCE || nearest > CLEARANCE
}

const legsOf = (random: Random, corners: ReadonlyArray<Point>, to: number): ReadonlyArray<Leg> => {
  const legs: Array<Leg> = []
  const speed = random.between(1, 1.7)
  let start = around(random, corners, 300)
  let time = BEGIN
  let isNear = true
  while (time < to) {
    // Most errands begin and end far away, and some follow upon another.
    isNear = !isNear || random.chance(0.1)
    let [end, stay] = (isNear ? errand : away)(random, corners)
    while (!isWay(corners, start, end)) [end, stay] = away(random, corners)
    const arrival = time + (1000 * Math.hypot(end[0] - start[0], end[1] - start[1])) / speed
    legs.push({ from: time, to: arrival, start, end }, { from: arrival, to: arrival + stay, start: end, end })
    start = end
    time = arrival + stay
  }
  return legs
}

const positionOn = ({ from, to, start, end }: Leg, time: number): Point => {
  const part = to === from ? 0 : (time - from) / (to - from)
  return [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])]
}

/** How finely the truth is sampled: no visit is shorter. */
const STEP = 2_000

/** When the person was inside, to 10 ms. */
const visitsOf = (isInside: (time: number) => boolean, to: number): ReadonlyArray<TrueVisit> => {
  const change = (before: number) => {
    let [early, late] = [before, before + STEP]
    const after = isInside(late)
    while (late - early > 10) {
      const middle = (early + late) / 2
      if (isInside(middle) === after) late = middle
      else early = middle
    }
    return late
  }
  const visits: Array<TrueVisit> = []
  let entered: number | undefined
  for (let time = BEGIN; time < to; time += STEP) {
    if (isInside(time) === (entered !== undefined)) continue
    const at = change(time - STEP)
    if (entered !== undefined) visits.push({ from: entered, to: at })
    entered = entered === undefined ? at : undefined
  }
  return entered === undefined ? visits : [...visits, { from: entered, to }]
}

/** A person who walks between points in and around an area, 60 to 200 m wide, and stays there, for hours. */
export const walkTrack = (
  seed: number,
  { hours = 6, positioning = urban, interval = 10_000 }: TrackOptions & { hours?: number } = {}
): Track => {
  const random = Random.of(seed, 0)
  const origin = anyOrigin(random)
  const corners = regularPolygon(3 + random.below(6), random.between(60, 200), random.between(0, Math.PI))
  const to = BEGIN + hours * 60 * MINUTE
  const legs = legsOf(random, corners, to)
  let current = 0
  const whereabouts: Whereabouts = (time) => {
    while (time < legs[current]!.from && current > 0) current--
    while (legs[current]!.to <= time && current < legs.length - 1) current++
    const at = positionOn(legs[current]!, time)
    return { at, isIndoors: distanceTo(corners, at) < 0 }
  }
  const measured = fixesOf(random, origin, whereabouts, { from: BEGIN, to, interval, positioning })
  const area = { ...PREMISES, trackingArea: areaText(origin, corners) }
  return { area, ...measured, visits: visitsOf((time) => whereabouts(time).isIndoors, to), from: BEGIN, to }
}
