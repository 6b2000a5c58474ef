import * as Option from "effect/Option"
import { boundsMeet, boundsOf } from "./Bounds.ts"
import type { NotInside, Overlap } from "./Fault.ts"
import { findMeetings, type Meetings, type Piece } from "./Meetings.ts"
import { type Edge, encloses, nameOf, type Outline, outlinesOf } from "./Outline.ts"
import type { EdgeAt, Polygons } from "./Position.ts"

/** Counts the work of relations. One unit is one pair of edges tried, or a step as cheap: a million are about 5 ms. */
export interface WorkMeter {
  work: number
}

interface EdgePair {
  readonly edge: EdgeAt
  readonly otherEdge: EdgeAt
}

/** How two areas lie: of each kind of evidence the first edge found. `edge` is one's, `otherEdge` the other's. */
interface Relation {
  readonly crossing?: EdgePair
  /** The borders run together, with both insides on the same side. */
  readonly sideBySide?: EdgePair
  /** The borders run together, with the insides on opposite sides. */
  readonly backToBack?: EdgePair
  readonly oneInside?: EdgeAt
  readonly oneOutside?: EdgeAt
  readonly otherInside?: EdgeAt
}

/** Looks up where two borders run together. */
const compareBorders = (one: ReadonlyArray<Piece>, other: ReadonlyArray<Piece>, { spotOf }: Meetings) => {
  const direction = ({ from, to }: Piece) => `${spotOf(from)}>${spotOf(to)}`
  const opposite = ({ from, to }: Piece) => `${spotOf(to)}>${spotOf(from)}`
  const edges = new Map(one.map((piece) => [direction(piece), piece.edge]))
  const common = new Set<string>()
  let sideBySide: EdgePair | undefined
  let backToBack: EdgePair | undefined
  for (const piece of other) {
    const same = edges.get(direction(piece))
    const facing = edges.get(opposite(piece))
    if (same !== undefined) sideBySide ??= { edge: nameOf(same), otherEdge: nameOf(piece.edge) }
    else if (facing !== undefined) backToBack ??= { edge: nameOf(facing), otherEdge: nameOf(piece.edge) }
    else continue
    common.add(direction(piece)).add(opposite(piece))
  }
  return { sideBySide, backToBack, isCommon: (piece: Piece) => common.has(direction(piece)) }
}

/** A piece of each chain between two meetings: the chain crosses nothing, so one piece tells for all of it. */
function* chains(rings: ReadonlyArray<ReadonlyArray<Piece>>, meetings: Meetings, isCommon: (piece: Piece) => boolean) {
  for (const pieces of rings) {
    let told = false
    for (const piece of pieces) {
      if (meetings.isMeeting(piece.from)) told = false
      if (told || isCommon(piece)) continue
      told = true
      yield piece
    }
  }
}

/** The first edges of some chains that lie inside and outside an area. */
const firstSides = (pieces: Iterable<Piece>, area: ReadonlyArray<Outline>) => {
  const first: { inside?: Edge; outside?: Edge } = {}
  for (const { from, to, edge } of pieces) {
    const [a, b] = [from.position, to.position]
    // What both borders have in common is set aside: the middle of this piece is well off the border, and may be rounded.
    const inside = encloses(area, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
    first[inside ? "inside" : "outside"] ??= edge
  }
  return first
}

const relate = (onePolygons: Polygons, otherPolygons: Polygons, meter?: WorkMeter): Relation => {
  const [one, other] = [outlinesOf(onePolygons).flat(), outlinesOf(otherPolygons).flat()]
  if (meter !== undefined) meter.work += one.flat().length * other.flat().length
  const meetings = findMeetings(one.flat(), other.flat())
  if (!("cutUp" in meetings)) return { crossing: { edge: nameOf(meetings[0]), otherEdge: nameOf(meetings[1]) } }
  const [onePieces, otherPieces] = [one.map(meetings.cutUp), other.map(meetings.cutUp)]
  const { sideBySide, backToBack, isCommon } = compareBorders(onePieces.flat(), otherPieces.flat(), meetings)
  const oneSides = firstSides(chains(onePieces, meetings, isCommon), other)
  const otherSides = firstSides(chains(otherPieces, meetings, isCommon), one)
  return {
    ...(sideBySide && { sideBySide }),
    ...(backToBack && { backToBack }),
    ...(oneSides.inside && { oneInside: nameOf(oneSides.inside) }),
    ...(oneSides.outside && { oneOutside: nameOf(oneSides.outside) }),
    ...(otherSides.inside && { otherInside: nameOf(otherSides.inside) })
  }
}

/** None when `inner` lies inside `outer`. Both must be valid; a common border is fine. */
export const whyNotInside = (outer: Polygons, inner: Polygons, meter?: WorkMeter): Option.Option<NotInside> => {
  const { crossing, backToBack, oneOutside, otherInside } = relate(inner, outer, meter)
  if (crossing) return Option.some({ _tag: "BordersCross", ...crossing })
  if (backToBack) return Option.some({ _tag: "BackToBack", ...backToBack })
  if (oneOutside) return Option.some({ _tag: "EdgeOutside", edge: oneOutside })
  if (otherInside) return Option.some({ _tag: "GapCovered", otherEdge: otherInside })
  return Option.none()
}

/** None when the insides of two areas have nothing in common. Both must be valid; a common border is fine. */
export const whyOverlap = (one: Polygons, other: Polygons, meter?: WorkMeter): Option.Option<Overlap> => {
  if (!boundsMeet(boundsOf(one), boundsOf(other))) return Option.none()
  const { crossing, sideBySide, oneInside, otherInside } = relate(one, other, meter)
  if (crossing) return Option.some({ _tag: "BordersCross", ...crossing })
  if (sideBySide) return Option.some({ _tag: "SideBySide", ...sideBySide })
  if (oneInside) return Option.some({ _tag: "EdgeInside", edge: oneInside })
  if (otherInside) return Option.some({ _tag: "OtherEdgeInside", otherEdge: otherInside })
  return Option.none()
}
