/** Finds where the borders of two areas meet. `Relation` decides from it whether one lies inside the other, or both overlap. */
import { cornerTouches, crosses } from "./Border.ts"
import { type PairOrder, type Side, visitNearPairs } from "./NearPairs.ts"
import { along, touches } from "./Position.ts"
import type { WorkMeter } from "./Work.ts"

/** A piece of an edge, between two spots where the borders of two areas may meet. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly edge: number
}

/** Where the borders of two areas meet without crossing. */
export interface Meetings {
  /** Do they meet at all? */
  readonly any: boolean
  /** Corners that touch are one spot, and have one number. */
  readonly spotOf: (corner: number) => number
  /** Does the other area's border touch here? */
  readonly isMeeting: (corner: number) => boolean
  /** The corners of the other area that touch an edge between its ends, in their order along it. */
  readonly cutsOf: (edge: number) => ReadonlyArray<number>
}

/** Lets several corners share one number (a union-find). */
const makeSpots = (count: number) => {
  const sameAs = new Int32Array(count)
  for (let corner = 0; corner < count; corner++) sameAs[corner] = corner
  const spotOf = (corner: number): number => {
    let spot = corner
    while (sameAs[spot] !== spot) spot = sameAs[spot] = sameAs[sameAs[spot]!]!
    return spot
  }
  const unite = (one: number, other: number): void => {
    sameAs[spotOf(one)] = spotOf(other)
  }
  return { spotOf, unite }
}

/** What two borders do to each other where they are near, looked at in some order. */
const lookAt = (one: Side, other: Side, pairs: PairOrder, meter: WorkMeter) => {
  const { spotOf, unite } = makeSpots(one.border.count + other.border.count)
  const meeting = new Set<number>()
  const touchedBy = new Map<number, Set<number>>()
  let crossing: readonly [number, number] | undefined

  /** Notes that a corner touches an edge of the other area, if it does. */
  const meets = (side: Side, corner: number, { border, base }: Side, edge: number): boolean => {
    if (!cornerTouches(side.border, corner, border, edge)) return false
    const met = side.base + corner
    const to = border.next[edge]!
    const touchesCorner = (end: number) =>
      touches(side.border.ax[corner]!, side.border.ay[corner]!, border.ax[end]!, border.ay[end]!)
    meeting.add(met)
    if (touchesCorner(edge)) unite(met, base + edge)
    else if (touchesCorner(to)) unite(met, base + to)
    else touchedBy.set(base + edge, (touchedBy.get(base + edge) ?? new Set()).add(met))
    return true
  }

  visitNearPairs(one.border, other.border, pairs, meter, (e, f) => {
    const touching = [
      meets(one, e, other, f),
      meets(one, one.border.next[e]!, other, f),
      meets(other, f, one, e),
      meets(other, other.border.next[f]!, one, e)
    ].includes(true)
    if (touching || !crosses(one.border, e, other.border, f)) return false
    crossing = [e, f]
    return true
  })

  let tied = false
  const cuts = new Map<number, ReadonlyArray<number>>()
  for (const [edge, corners] of touchedBy) {
    const [side, otherSide] = edge < other.base ? [one.border, other] : [other.border, one]
    const e = edge < other.base ? edge : edge - other.base
    const placeOf = (corner: number) => {
      const { border, base } = otherSide
      return along(
        border.ax[corner - base]!,
        border.ay[corner - base]!,
        side.ax[e]!,
        side.ay[e]!,
        side.bx[e]!,
        side.by[e]!
      )
    }
    const places = new Map([...corners].map((corner) => [corner, placeOf(corner)]))
    const inOrder = [...corners].sort((c, d) => {
      const order = places.get(c)! - places.get(d)!
      if (order === 0) tied = true
      return order
    })
    cuts.set(edge, inOrder)
  }
  return { crossing, tied, spotOf, meeting, cuts }
}

const NO_CUTS: ReadonlyArray<number> = []

/**
 * Finds where two borders meet, or the first two edges that cross (one's edge first).
 *
 * Points within touching distance are made one rather than rounded to a grid: a grid cannot put a vertex on a slanted
 * edge. Edges that touch are not asked whether they cross: the pieces on both sides of the spot tell.
 */
export const findMeetings = (one: Side, other: Side, meter: WorkMeter): Meetings | readonly [number, number] => {
  const quick = lookAt(one, other, "any", meter)
  // Where the order counts, which edges cross first or which of two corners cuts an edge first, one order is kept to.
  const seen = quick.crossing === undefined && !quick.tied ? quick : lookAt(one, other, "west to east", meter)
  if (seen.crossing !== undefined) return seen.crossing
  const { spotOf, meeting, cuts } = seen
  const meetingSpots = new Set([...meeting].map(spotOf))
  return {
    any: meeting.size > 0,
    spotOf,
    isMeeting: (corner) => meetingSpots.has(spotOf(corner)),
    cutsOf: (edge) => cuts.get(edge) ?? NO_CUTS
  }
}
