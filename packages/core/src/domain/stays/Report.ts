/** What reports answer, and how their times are cut and rounded. */
import type { OrgAuthServerId, PlaceId } from "../shared/Ids.ts"
import type { TimeWindow } from "../shared/TimeWindow.ts"
import type { ClosedStay } from "./Stay.ts"

/** The total time that one person spent inside a place, over their closed stays (spec: stays#report). */
export interface TimePerUser {
  readonly placeId: PlaceId
  readonly orgAuthServerId: OrgAuthServerId
  /** Whole seconds; what is left of the sum is dropped. */
  readonly totalTime: number
}

/** Whole seconds of a sum of milliseconds. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** The milliseconds of a stay that are inside a window: the stay is cut at the window's ends (spec: stays#window-report). */
export const timeInside = (
  { entrance, exit }: Pick<ClosedStay, "entrance" | "exit">,
  { from, to }: TimeWindow
): number => Math.max(0, Math.min(exit, to) - Math.max(entrance, from))

/** The total time that one person spent inside some premises. */
export type PersonTime = Omit<TimePerUser, "placeId">
