/** How full premises are in the words of the page: by the numbers alone. The feed's levels have a margin on the way down, which is for alerts. */
import type { PresenceSnapshotOrganization } from "@sojourn/client"

export type Level = PresenceSnapshotOrganization["level"]

/** What a level is said of. */
interface Filled {
  readonly inside: number
  readonly capacity?: number | undefined
  readonly warnAt?: number | undefined
  readonly level: Level
}

/** From which part of a capacity on premises are nearly full, unless their manager said otherwise. */
export const DEFAULT_WARN_AT = 0.8

/** Above the relative error of a product: 0.07 * 100 is above 7. */
const ROUNDING = 1e-15

/**
 * The level of a count by its numbers: over the capacity, at it, from `warnAt` on. Where `warnAt` is not known, the level of the
 * feed says whether a warning is given.
 */
export const stateOf = ({ inside, capacity, warnAt, level }: Filled): Level => {
  if (capacity === undefined) return "none"
  if (inside > capacity) return "over"
  if (inside === capacity) return "full"
  const isWarned =
    warnAt === undefined
      ? level !== "normal" && level !== "none"
      : inside >= Math.ceil(warnAt * capacity * (1 - ROUNDING))
  return isWarned ? "warning" : "normal"
}
