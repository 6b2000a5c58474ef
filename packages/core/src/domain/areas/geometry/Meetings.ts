/** Finds where the borders of two areas meet. `Relation` decides from it whether one lies inside the other, or both overlap. */
import { type Border, cornerTouches, crosses } from "./Border.ts"
import { visitNearPairs } from "./NearPairs.ts"
import { along, touches } from "./Position.ts"

/** One of two borders that are compared. Corners and edges are numbered over both: its own begin at `base`. */
export interface Side {
  readonly border: Border
  readonly base: number
}

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

const NO_CUTS: ReadonlyArray<number> = []

/** The corners that touch an edge between its ends, in their order along it. */
const inOrderAlong = ({ ax, ay, bx, by }: Border, e: number, of: Side, corners: Iterable<number>) => {
  const placeOf = (corner: number) => {
    const c = corner - of.base
    return along(of.border.ax[c]!, of.border.ay[c]!, ax[e]!, ay[e]!, bx[e]!, by[e]!)
  }
  const places = Array.from(corners, (corner) => [corner, placeOf(corner)] as const)
  return places.sort(([, a], [, b]) => a - b).map(([corner]) => corner)
}

/**
 * Finds where two borders meet, which are nearer than `distance` there, or the first two edges that cross (one's edge first).
 *
 * Points within the distance are made one rather than rounded to a grid: a grid cannot put a vertex on a slanted
 * edge. Edges that touch are not tested for a crossing: the pieces on both sides of the spot decide.
 */
export const findMeetings = (one: Side, other: Side, distance: number): Meetings | readonly [number, number] => {
  const { spotOf, unite } = makeSpots(one.border.count + other.border.count)
  const meeting = new Set<number>()
  const touchedBy = new Map<number, Set<number>>()
  let crossing: readonly [number, number] | undefined

  /** Records that a corner touches an edge of the other area, if it does. */
  const meets = (side: Side, corner: number, { border, base }: Side, edge: number): boolean => {
    if (!cornerTouches(side.border, corner, border, edge, distance)) return false
    const met = side.base + corner
    const to = border.next[edge]!
    const touchesCorner = (end: number) =>
      touches(side.border.ax[corner]!, side.border.ay[corner]!, border.ax[end]!, border.ay[end]!, distance)
    meeting.add(met)
    if (touchesCorner(edge)) unite(met, base + edge)
    else if (touchesCorner(to)) unite(met, base + to)
    else touchedBy.set(base + edge, (touchedBy.get(base + edge) ?? new Set()).add(met))
    return true
  }

  visitNearPairs(one.border, other.border, distance, (e, f) => {
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
  if (crossing !== undefined) return crossing

  const cuts = new Map<number, ReadonlyArray<number>>()
  for (const [edge, corners] of touchedBy) {
    const [side, otherSide] = edge < other.base ? [one, other] : [other, one]
    cuts.set(edge, inOrderAlong(side.border, edge - side.base, otherSide, corners))
  }
  const meetingSpots = new Set([...meeting].map(spotOf))
  return {
    any: meeting.size > 0,
    spotOf,
    isMeeting: (corner) => meetingSpots.has(spotOf(corner)),
    cutsOf: (edge) => cuts.get(edge) ?? NO_CUTS
  }
}
