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

/** Where a person truly is at a time. */
export type Whereabouts = (time: number) => { readonly at: Point; readonly isIndoors: boolean }

/** A fix, and when the phone has it. */
export interface Arrival {
  readonly fix: GeofenceFix
  readonly arrived: number
}

const outlier = (random: Random, [x, y]: Point): Point => {
  const [distance, angle] = [random.between(100, 500), random.between(0, 2 * Math.PI)]
  return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)]
}

/** The fixes of a phone between two times, in the order in which they arrive. */
export const fixesOf = (
  random: Random,
  origin: Origin,
  whereabouts: Whereabouts,
  { from, to, interval, positioning }: { from: number; to: number; interval: number; positioning: Positioning }
): ReadonlyArray<Arrival> => {
  const outdoors = random.between(...positioning.outdoors)
  const indoors = Math.min(positioning.worst, outdoors * random.between(...positioning.indoors))
  const kept = Math.exp(-interval / positioning.correlation)
  const renewed = Math.sqrt(1 - kept * kept)
  let [east, north] = [random.normal(), random.normal()]
  let silentUntil = -Infinity
  const arrivals: Array<Arrival> = []
  for (let timestamp = from + random.below(interval); timestamp < to; timestamp += interval) {
    east = kept * east + renewed * random.normal()
    north = kept * north + renewed * random.normal()
    const { at, isIndoors } = whereabouts(timestamp)
    if (isIndoors && random.chance(positioning.gap * interval)) {
      silentUntil = timestamp + random.between(interval, positioning.longestGap)
    }
    if (timestamp < silentUntil) continue
    const deviation = isIndoors ? indoors : outdoors
    let accuracy = positioning.reportedAccuracy * deviation
    let measured: Point = [at[0] + deviation * east, at[1] + deviation * north]
    if (random.chance(positioning.outlier)) {
      measured = outlier(random, at)
      if (random.chance(0.5)) accuracy = random.between(1, 10)
    }
    const arrived = timestamp + (random.chance(positioning.late) ? random.between(0, 20_000) : 0)
    arrivals.push({ fix: { coords: { ...degreesOf(origin, measured), accuracy }, timestamp }, arrived })
  }
  return arrivals.sort((a, b) => a.arrived - b.arrived)
}
