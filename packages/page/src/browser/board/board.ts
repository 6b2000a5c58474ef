/** What a board shows of counts, and when it is dark. */
import { isQuiet } from "../live/counts.ts"
import { levelOf } from "../organizations/lineages.ts"
import type { Premises } from "../organizations/model.ts"
import { listedPlaces } from "../organizations/order.ts"

type Placed = Pick<Premises, "name" | "count" | "lineage">

/** Whether a place is nearly full at least. */
export const needsAttention = ({ count }: Pick<Placed, "count">): boolean => !isQuiet(count)

/** The places that need attention first, then the others, each by how full they are. */
export const byAttention = <Place extends Placed>(places: ReadonlyArray<Place>): ReadonlyArray<Place> => {
  const all = listedPlaces(places, "", "fullness")
  return [...all.filter(needsAttention), ...all.filter((one) => !needsAttention(one))]
}

/** The most places for which a map of a level has room, and the most levels that are shown by turns. */
const [MAX_PLACES_ON_MAP, MAX_LEVELS] = [60, 8]

/** The levels whose maps a board shows by turns, the lowest first; none where a list says more. */
export const mapLevels = (places: ReadonlyArray<Placed>): ReadonlyArray<number> => {
  const onLevels = Map.groupBy(places, ({ lineage }) => levelOf(lineage))
  const isTooMuch = onLevels.size > MAX_LEVELS || [...onLevels.values()].some((all) => all.length > MAX_PLACES_ON_MAP)
  return isTooMuch ? [] : [...onLevels.keys()].sort((a, b) => a - b)
}

/** The level of the place that needs attention most; undefined where none does. */
export const pressingLevel = (places: ReadonlyArray<Placed>): number | undefined => {
  const first = byAttention(places).find(needsAttention)
  return first && levelOf(first.lineage)
}

/** The hours of the day at which a board becomes dark and light. */
const [DARK_FROM, LIGHT_FROM] = [20, 7]

/** Whether it is night at a local time, such as `2026-11-28T17:05`. */
export const isNight = (local: string): boolean => {
  const hour = Number(local.slice(11, 13))
  return hour >= DARK_FROM || hour < LIGHT_FROM
}
