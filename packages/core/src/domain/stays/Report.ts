/** What a report on a place answers, and how its times are rounded. */
import type { OrgAuthServerId, PlaceId } from "../shared/Ids.ts"

/** The total time that one person spent inside a place, over their closed stays (spec: stays#report). */
export interface TimePerUser {
  readonly placeId: PlaceId
  readonly orgAuthServerId: OrgAuthServerId
  /** Whole seconds; what is left of the sum is dropped. */
  readonly totalTime: number
}

/** Whole seconds of a sum of milliseconds. */
export const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
