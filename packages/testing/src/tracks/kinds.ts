/** The kinds of noise that phones have. What differs between phones of a kind is drawn for each from ranges. */
import { good, type Positioning, urban } from "./noise.ts"
import type { Random } from "./Random.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Indoors the position jumps to that of another access point, stays there for minutes, and claims a good accuracy. */
const jumps =
  (least: number, most: number) =>
  (random: Random): Positioning => ({
    ...urban,
    episodes: {
      rate: random.between(least, most) / DAY,
      duration: [MINUTE, 10 * MINUTE],
      metres: [100, 300],
      places: random.pick([0, 1, 2, 3, 5]),
      accuracy: [5, 30],
      ...(random.chance(0.5) && { scatter: random.between(1, 10) })
    }
  })

export const NOISE_KINDS = {
  /** A phone that knows its position well. */
  good: () => good,
  /** A street of houses. */
  urban: () => urban,
  /** Positions jump to those of other access points, some times a day. */
  jumps: jumps(1, 5),
  /** The same, for a phone between access points: up to twice an hour. */
  manyJumps: jumps(2, 40),
  /** The same accuracy is claimed whatever the error is. */
  constant: (random: Random): Positioning => ({
    ...urban,
    worst: random.between(30, 45),
    indoors: [1.3, 3],
    claimed: 20
  }),
  /** Indoors the error is large and stays alike for minutes. The accuracy says so. */
  badIndoors: (random: Random): Positioning => ({
    ...urban,
    indoors: [100, 100],
    worst: random.between(45, 60),
    indoorCorrelation: random.between(2, 6) * MINUTE
  }),
  /** The device's clock jumps by minutes to hours, in both directions. Satellites date the fixes of half of the phones. */
  clock: (random: Random): Positioning => ({
    ...urban,
    clockJump: random.between(10, 150) / DAY,
    longestClockJump: 3 * HOUR,
    hasSatelliteTime: random.chance(0.5)
  }),
  /** Reflections move positions for minutes. */
  canyon: (random: Random): Positioning => ({
    ...urban,
    episodes: { rate: random.between(0.1, 0.6) / HOUR, duration: [MINUTE, 5 * MINUTE], metres: [30, 60] }
  })
} as const

export type NoiseKind = keyof typeof NOISE_KINDS
