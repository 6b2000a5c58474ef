/** What positioning makes of a true position: noise, outliers, gaps and delays. */
import type { GeofenceFix } from "@sojourn/core"
import type { Random } from "./Random.ts"
import { type Origin, type Point, degreesOf } from "./plane.ts"

/** How well a phone knows where it is. Distances are in metres, times in milliseconds, probabilities per fix. */
export interface Positioning {
  /** The standard deviation outdoors, in each direction, from and to: each phone has its own. */
  readonly outdoors: readonly [least: number, most: number]
  /** How much larger it is indoors. */
  readonly indoors: readonly [least: number, most: number]
  /** It is never larger than this. */
  readonly worst: number
  /** The time in which two errors lose all but 1/e of their correlation. */
  readonly correlation: number
  /** The reported accuracy, in standard deviations. */
  readonly reportedAccuracy: number
  readonly outlier: number
  readonly late: number
  /** How often indoors a gap begins, in gaps per millisecond, and how long it may be. */
  readonly gap: number
  readonly longestGap: number
  /** The correlation indoors, where it differs. */
  readonly indoorCorrelation?: number
  /** The accuracy that is reported whatever the error is. */
  readonly claimed?: number
  readonly episodes?: Episodes
  /** How often the device's clock jumps, in jumps per millisecond, and by how much at most, in either direction. */
  readonly clockJump?: number
  readonly longestClockJump?: number
  /** Fixes are dated by satellites, which the device's clock does not follow. */
  readonly hasSatelliteTime?: boolean
}

/** Times in which positions are wrong by the same distance. */
export interface Episodes {
  /** Episodes per millisecond. */
  readonly rate: number
  readonly duration: readonly [least: number, most: number]
  readonly metres: readonly [least: number, most: number]
  /** How many places an `indoors` device jumps to; 0 for a new one each time. Elsewhere the error is one of the position. */
  readonly places?: number
  /** Episodes with places happen indoors, and claim this accuracy. */
  readonly accuracy?: readonly [least: number, most: number]
  /** The standard deviation around such a place. */
  readonly scatter?: number
}

/** A phone in a street of houses. */
export const urban: Positioning = {
  outdoors: [5, 15],
  indoors: [1.3, 2],
  worst: 30,
  correlation: 30_000,
  reportedAccuracy: 1.5,
  outlier: 1 / 200,
  late: 1 / 100,
  gap: 1 / 7_200_000,
  longestGap: 300_000
}

/** A phone that knows its position well: 5 m outdoors and 7 m indoors. */
export const good: Positioning = { ...urban, outdoors: [5, 5], indoors: [1.4, 1.4] }

/** How well a phone knows where it is: the same for all phones of a kind, or drawn for each. */
export type AnyPositioning = Positioning | ((random: Random) => Positioning)

/** Where a person truly is at a time. */
export type Whereabouts = (time: number) => { readonly at: Point; readonly isIndoors: boolean }

/** A fix, and when the phone has it. */
export interface Arrival {
  readonly fix: GeofenceFix
  readonly arrived: number
}

/** By how much a clock is ahead at a time, in milliseconds. */
export type ClockError = (time: number) => number

/** Fixes in the order in which they arrive, and the errors of the clock that dates them and of the device's own. */
export interface Measured {
  readonly fixes: ReadonlyArray<Arrival>
  readonly fixClockError: ClockError
  readonly deviceClockError: ClockError
}

/** A point at a distance from another one, in any direction. */
const off = (random: Random, [x, y]: Point, metres: readonly [least: number, most: number]): Point => {
  const [distance, angle] = [random.between(...metres), random.between(0, 2 * Math.PI)]
  return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)]
}

/** The episodes of one phone: asked at each fix, in the order of time. */
const episodesOf = (random: Random, { rate, duration, metres, places, accuracy, scatter }: Episodes) => {
  const known: Array<Point> = []
  let [begins, ends, at, claimed]: [number, number, Point, number | undefined] = [-1, -1, [0, 0], undefined]
  const placeFrom = (from: Point): Point => {
    const near = known.filter((place) => Math.hypot(place[0] - from[0], place[1] - from[1]) < 1.5 * metres[1])
    if (near.length > 0 && known.length >= places!) return random.pick(near)
    const place = off(random, from, metres)
    if (places! > 0) known.push(place)
    return place
  }
  return (time: number, from: Point, { isIndoors, interval }: { isIndoors: boolean; interval: number }) => {
    if (time >= ends && (isIndoors || places === undefined) && random.chance(rate * interval)) {
      begins = time
      ends = time + random.between(...duration)
      at = places === undefined ? off(random, [0, 0], metres) : placeFrom(from)
      claimed = accuracy && random.between(...accuracy)
    }
    // A jump indoors ends outdoors.
    if (places !== undefined && !isIndoors) ends = Math.min(ends, time)
    if (begins < 0 || time >= ends) return undefined
    const to: Point = places === undefined ? [from[0] + at[0], from[1] + at[1]] : at
    return { to, claimed, deviation: scatter }
  }
}

/** The error of a clock that jumps: jumps are drawn for the whole time. */
const clockErrorOf = (
  random: Random,
  { from, to, clockJump = 0, longestClockJump = 0 }: Times & Partial<Positioning>
): ClockError => {
  const jumps: Array<readonly [at: number, error: number]> = []
  const pause = () => -Math.log(1 - random.fraction()) / clockJump
  for (let at = from + pause(); at < to; at += pause()) {
    const size = 60_000 * (longestClockJump / 60_000) ** random.fraction()
    jumps.push([at, (jumps.at(-1)?.[1] ?? 0) + (random.chance(0.5) ? size : -size)])
  }
  return (time) => jumps.findLast(([at]) => at <= time)?.[1] ?? 0
}

interface Times {
  readonly from: number
  readonly to: number
}

/** The fixes of a phone between two times. */
export const fixesOf = (
  random: Random,
  origin: Origin,
  whereabouts: Whereabouts,
  { from, to, interval, positioning: any }: Times & { interval: number; positioning: AnyPositioning }
): Measured => {
  const positioning = typeof any === "function" ? any(random) : any
  const outdoors = random.between(...positioning.outdoors)
  const indoors = Math.min(positioning.worst, outdoors * random.between(...positioning.indoors))
  const deviceClockError = clockErrorOf(random, { from, to, ...positioning })
  const fixClockError: ClockError = positioning.hasSatelliteTime ? () => 0 : deviceClockError
  const episode = positioning.episodes && episodesOf(random, positioning.episodes)
  let [east, north] = [random.normal(), random.normal()]
  let silentUntil = -Infinity
  const fixes: Array<Arrival> = []
  for (let timestamp = from + random.below(interval); timestamp < to; timestamp += interval) {
    const { at, isIndoors } = whereabouts(timestamp)
    const { correlation, indoorCorrelation = correlation } = positioning
    const kept = Math.exp(-interval / (isIndoors ? indoorCorrelation : correlation))
    const renewed = Math.sqrt(1 - kept * kept)
    east = kept * east + renewed * random.normal()
    north = kept * north + renewed * random.normal()
    if (isIndoors && random.chance(positioning.gap * interval)) {
      silentUntil = timestamp + random.between(interval, positioning.longestGap)
    }
    const wrong = episode?.(timestamp, at, { isIndoors, interval })
    if (timestamp < silentUntil) continue
    const usual = isIndoors ? indoors : outdoors
    const deviation = wrong?.deviation ?? usual
    const [x, y] = wrong?.to ?? at
    let accuracy = positioning.claimed ?? wrong?.claimed ?? positioning.reportedAccuracy * usual
    let measured: Point = [x + deviation * east, y + deviation * north]
    if (random.chance(positioning.outlier)) {
      measured = off(random, at, [100, 500])
      if (random.chance(0.5)) accuracy = positioning.claimed ?? random.between(1, 10)
    }
    const arrived = timestamp + (random.chance(positioning.late) ? random.between(0, 20_000) : 0)
    const coords = { ...degreesOf(origin, measured), accuracy }
    fixes.push({ fix: { coords, timestamp: timestamp + fixClockError(timestamp) }, arrived })
  }
  return { fixes: fixes.sort((a, b) => a.arrived - b.arrived), fixClockError, deviceClockError }
}
