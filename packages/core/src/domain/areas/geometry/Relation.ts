/** Decides whether one area lies inside another, and whether two areas overlap. */
import { type Border, borderOf, encloses, nameOf } from "./Border.ts"
import { boundsMeet, boundsOf } from "./Bounds.ts"
import type { NotInside, Overlap } from "./Fault.ts"
import { findMeetings, type Meetings, type Piece, type Side } from "./Meetings.ts"
import type { EdgeAt, Polygons } from "./Position.ts"

interface EdgePair {
  readonly edge: EdgeAt
  readonly otherEdge: EdgeAt
}

/** The relation of two areas: for each kind of evidence the first edges found. `edge` is of the first area, `otherEdge` of the other. */
interface Relation {
  readonly crossing?: EdgePair | undefined
  /** The borders coincide, with both insides on the same side. */
  readonly sideBySide?: EdgePair | undefined
  /** The borders coincide, with the insides on opposite sides. */
  readonly backToBack?: EdgePair | undefined
  readonly oneInside: () => EdgeAt | undefined
  readonly oneOutside: () => EdgeAt | undefined
  readonly otherInside: () => EdgeAt | undefined
}

/** Cuts each ring into pieces at its meetings. Without any meeting the first edge represents its ring, and is not cut. */
const cutUp = ({ border, base }: Side, meetings: Meetings): ReadonlyArray<ReadonlyArray<Piece>> =>
  border.parts.flat().map((ring) => {
    const pieces: Array<Piece> = []
    const to = meetings.any ? ring.to : ring.from + 1
    for (let edge = ring.from; edge < to; edge++) {
      let from = base + edge
      for (const stop of [...meetings.cutsOf(base + edge), base + border.next[edge]!]) {
        if (meetings.spotOf(from) !== meetings.spotOf(stop)) pieces.push({ from, to: stop, edge })
        from = stop
      }
    }
    return pieces
  })

type Cut = ReadonlyArray<ReadonlyArray<Piece>>

/** Finds the pieces at which two borders coincide. Both ends of such a piece are meetings. */
const compareBorders = (one: Cut, other: Cut, { spotOf, isMeeting }: Meetings, spots: number) => {
  const direction = ({ from, to }: Piece) => spotOf(from) * spots + spotOf(to)
  const opposite = ({ from, to }: Piece) => spotOf(to) * spots + spotOf(from)
  const mayBeCommon = ({ from, to }: Piece) => isMeeting(from) && isMeeting(to)
  const edges = new Map<number, number>()
  const common = new Set<number>()
  for (const piece of one.flat()) if (mayBeCommon(piece)) edges.set(direction(piece), piece.edge)
  let sideBySide: readonly [number, number] | undefined
  let backToBack: readonly [number, number] | undefined
  for (const piece of edges.size === 0 ? [] : other.flat()) {
    const same = edges.get(direction(piece))
    const facing = edges.get(opposite(piece))
    if (same !== undefined) sideBySide ??= [same, piece.edge]
    else if (facing !== undefined) backToBack ??= [facing, piece.edge]
    else continue
    common.add(direction(piece)).add(opposite(piece))
  }
  return { sideBySide, backToBack, isCommon: (piece: Piece) => common.has(direction(piece)) }
}

/** Yields one piece of each chain between two meetings. The chain crosses no border, so all its pieces lie on the same side. */
function* chains(rings: Cut, meetings: Meetings, isCommon: (piece: Piece) => boolean) {
  for (const pieces of rings) {
    let isYielded = false
    for (const piece of pieces) {
      if (meetings.isMeeting(piece.from)) isYielded = false
      if (isYielded || isCommon(piece)) continue
      isYielded = true
      yield piece
    }
  }
}

const relate = (onePolygons: Polygons, otherPolygons: Polygons): Relation => {
  const [one, other] = [borderOf(onePolygons), borderOf(otherPolygons)]
  const [oneSide, otherSide] = [
    { border: one, base: 0 },
    { border: other, base: one.count }
  ]
  const pairOf = (pair: readonly [number, number] | undefined): EdgePair | undefined =>
    pair && { edge: nameOf(one, pair[0]), otherEdge: nameOf(other, pair[1]) }
  const meetings = findMeetings(oneSide, otherSide)
  if (!("any" in meetings)) {
    const none = () => undefined
    return { crossing: pairOf(meetings), oneInside: none, oneOutside: none, otherInside: none }
  }
  const [onePieces, otherPieces] = [cutUp(oneSide, meetings), cutUp(otherSide, meetings)]
  const { sideBySide, backToBack, isCommon } = compareBorders(onePieces, otherPieces, meetings, one.count + other.count)

  const xOf = (corner: number) => (corner < one.count ? one.ax[corner]! : other.ax[corner - one.count]!)
  const yOf = (corner: number) => (corner < one.count ? one.ay[corner]! : other.ay[corner - one.count]!)
  /** The first edge of the first chain that lies inside an area, or outside. */
  const firstOf = (rings: Cut, of: Border, area: Border, inside: boolean): EdgeAt | undefined => {
    for (const { from, to, edge } of chains(rings, meetings, isCommon)) {
      // Common pieces are excluded, so the middle of this piece is clearly off the border and may be rounded.
      const [x, y] = [(xOf(from) + xOf(to)) / 2, (yOf(from) + yOf(to)) / 2]
      if (encloses(area, 0, area.count, x, y) === inside) return nameOf(of, edge)
    }
    return undefined
  }
  return {
    sideBySide: pairOf(sideBySide),
    backToBack: pairOf(backToBack),
    oneInside: () => firstOf(onePieces, one, other, true),
    oneOutside: () => firstOf(onePieces, one, other, false),
    otherInside: () => firstOf(otherPieces, other, one, true)
  }
}

/** The reason why `inner` does not lie inside `outer`, if it does not. Both must be valid; a common border is allowed. */
export const whyNotInside = (outer: Polygons, inner: Polygons): NotInside | undefined => {
  const { crossing, backToBack, oneOutside, otherInside } = relate(inner, outer)
  if (crossing) return { _tag: "BordersCross", ...crossing }
  if (backToBack) return { _tag: "BackToBack", ...backToBack }
  const outside = oneOutside()
  if (outside) return { _tag: "EdgeOutside", edge: outside }
  const covered = otherInside()
  return covered && { _tag: "GapCovered", otherEdge: covered }
}

/** The overlap of two areas, if their interiors meet. Both must be valid; a common border is allowed. */
export const whyOverlap = (one: Polygons, other: Polygons): Overlap | undefined => {
  if (!boundsMeet(boundsOf(one), boundsOf(other))) return undefined
  const { crossing, sideBySide, oneInside, otherInside } = relate(one, other)
  if (crossing) return { _tag: "BordersCross", ...crossing }
  if (sideBySide) return { _tag: "SideBySide", ...sideBySide }
  const inside = oneInside()
  if (inside) return { _tag: "EdgeInside", edge: inside }
  const around = otherInside()
  return around && { _tag: "OtherEdgeInside", otherEdge: around }
}
