/** How full premises are. The levels have a margin, so that one person at the door does not make them change to and fro. */
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../shared/Ids.ts"
import type { Premises } from "../shared/Premises.ts"

/** The most people that some premises may be said to hold: 1 to 10,000,000. */
export const CapacityNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 }))

/** The part of a capacity from which on the level is `warning`: above 0 and up to 1. */
export const WarnAt = Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1))

/** `warnAt` where none is given. */
export const DEFAULT_WARN_AT = 0.8

/** How many people some premises hold, and from which part of it on a warning is given. */
export interface Capacity {
  readonly capacity: number
  readonly warnAt: number
}

/** How full premises are; `none` where they have no capacity. */
export type CapacityLevel = "none" | "normal" | "warning" | "full" | "over"

/** The capacity, the number of people inside, and the level of premises as of one moment. */
export interface CapacityReading {
  readonly organizationId: OrganizationId
  readonly premises: Premises
  readonly inside: number
  readonly capacity?: Capacity | undefined
  readonly level: CapacityLevel
}

/** Above the relative error of a product: 0.07 * 100 is above 7. Far below the distance of a whole number from a fraction. */
const ROUNDING = 1e-15

/** The number of people from which on the level is `warning`: ceil(warnAt * capacity). */
export const warningFrom = ({ capacity, warnAt }: Capacity): number => Math.ceil(warnAt * capacity * (1 - ROUNDING))

/** The levels that begin at a number of people, highest first, each with that number. */
const beginnings = (capacity: Capacity): ReadonlyArray<readonly [CapacityLevel, number]> => [
  ["over", capacity.capacity + 1],
  ["full", capacity.capacity],
  ["warning", warningFrom(capacity)]
]

/** How far below its beginning a level is left: 5 % of the capacity, at least 1. */
export const levelMargin = ({ capacity }: Capacity): number => Math.max(1, Math.floor(capacity / 20))

/** The level of a number of people, whatever it was before. */
export const levelOf = (capacity: Capacity | undefined, inside: number): CapacityLevel =>
  capacity === undefined ? "none" : (beginnings(capacity).find(([, from]) => inside >= from)?.[0] ?? "normal")

const RANK: Readonly<Record<CapacityLevel, number>> = { none: 0, normal: 1, warning: 2, full: 3, over: 4 }

/**
 * The level after `inside` changed while the level was `current`. A level is left only when `inside` is at or below its
 * beginning minus {@link levelMargin}, so that it does not flap.
 */
export const nextLevel = (capacity: Capacity | undefined, current: CapacityLevel, inside: number): CapacityLevel => {
  if (capacity === undefined) return "none"
  const margin = levelMargin(capacity)
  const held = beginnings(capacity).find(([level, from]) => RANK[level] <= RANK[current] && inside > from - margin)
  const reached = levelOf(capacity, inside)
  return held !== undefined && RANK[held[0]] > RANK[reached] ? held[0] : reached
}
