/** What needs attention: places that are too full, open musters and silent devices, and which organizations come first for it. */
import type { Count, Level } from "../live/counts.ts"
import { fullnessOf } from "./order.ts"

type Counted = { readonly count: Count }

/** The places of a level, the fullest first. */
export const placesAt = <Place extends Counted>(places: ReadonlyArray<Place>, level: Level): ReadonlyArray<Place> =>
  places.filter(({ count }) => count.level === level).sort((a, b) => (fullnessOf(b) ?? 0) - (fullnessOf(a) ?? 0))

/** What is known of an organization in a list of them. */
export interface Situation {
  /** The kind of an open muster. */
  readonly muster?: string | undefined
  readonly whole?: Count | undefined
  readonly over: number
  readonly full: number
  readonly silent: number
}

/** How urgent an organization is: the lower, the sooner. Those that are equally urgent stay in their order. */
export const urgencyOf = ({ muster, whole, over, full, silent }: Situation): number => {
  const level = whole?.level
  const order = [
    muster !== undefined,
    level === "over",
    over > 0,
    level === "full",
    full > 0,
    silent > 0,
    level === "warning"
  ]
  const first = order.indexOf(true)
  return first < 0 ? order.length : first
}
