/** Decides whether one area lies inside another, and whether two areas overlap. */
import { type Border, borderOf, encloses, nameOf } from "./Border.ts"
import { boundsMeet, boundsOf } from "./Bounds.ts"
import type { NotInside, Overlap } from "./Fault.ts"
import { findMeetings, type Meetings, type Piece, type Side } from "./Meetings.ts"
import { type EdgeAt, type Polygons, SHARED_DISTANCE, TOUCHING_DISTANCE } from "./Position.ts"

interface EdgePair {
  readonly edge: EdgeAt
  readonly otherEdge: EdgeAt
}

/** Borders that contradict a relation: the first of their edges, and how long they are in all. */
interface Evidence<At> {
  readonly at: At
  readonly length: number
}

/** The relation of two areas: the evidence of each kind. `edge` is of the first area, `otherEdge` of the other. */
interface Relation {
  /** More evidence than this, in degrees, counts. */
  readonly least: number
  readonly crossing?: EdgePair | undefined
  /** The borders coincide, with both insides on the same side. */
  readonly sideBySide?: Evidence<EdgePair> | undefined
  /** The borders coincide, with the insides on opposite sides. */
  readonly backToBack?: Evidence<EdgePair> | undefined
  readonly oneInside: () => Evidence<EdgeAt> | undefined
  readonly oneOutside: () => Evidence<EdgeAt> | undefined
  readonly otherInside: () => Evidence<EdgeAt> | undefined
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

/**
 * How many times the distance that makes borders one is tolerated in all around what two areas share. Where two corners are hardly further
 * apart than the distance, the pieces at an acute angle between them are of no certain side.
 */
const TOLERATED = 8

/** Adds to evidence, or begins it. */
const moreOf = <At>(evidence: Evidence<At> | undefined, at: At, length: number): Evidence<At> =>
  evidence === undefined ? { at, length } : { at: evidence.at, length: evidence.length + length }

/** Finds the pieces at which two borders coincide. Both ends of such a piece are meetings. */
const compareBorders = (
  one: Cut,
  other: Cut,
  { spotOf, isMeeting }: Meetings,
  spots: number,
  lengthOf: (piece: Piece) => number
) => {
  const direction = ({ from, to }: Piece) => spotOf(from) * spots + spotOf(to)
  const opposite = ({ from, to }: Piece) => spotOf(to) * spots + spotOf(from)
  const mayBeCommon = ({ from, to }: Piece) => isMeeting(from) && isMeeting(to)
  const edges = new Map<number, number>()
  const common = new Set<number>()
  for (const piece of one.flat()) if (mayBeCommon(piece)) edges.set(direction(piece), piece.edge)
  let sideBySide: Evidence<readonly [number, number]> | undefined
  let backToBack: Evidence<readonly [number, number]> | undefined
  for (const piece of edges.size === 0 ? [] : other.flat()) {
    const same = edges.get(direction(piece))
    const facing = edges.get(opposite(piece))
    if (same !== undefined) sideBySide = moreOf(sideBySide, [same, piece.edge], lengthOf(piece))
    else if (facing !== undefined) backToBack = moreOf(backToBack, [facing, piece.edge], lengthOf(piece))
    else continue
    common.add(direction(piece)).add(opposite(piece))
  }
  return { sideBySide, backToBack, isCommon: (piece: Piece) => common.has(direction(piece)) }
}

/** The pieces between two meetings, or a whole ring. They cross no border, so that all lie on the side of the first one. */
type Chain = Array<Piece>

/** The chains of rings, without common pieces. */
const chainsOf = (rings: Cut, meetings: Meetings, isCommon: (piece: Piece) => boolean): ReadonlyArray<Chain> =>
  rings.flatMap((pieces) => {
    const chains: Array<Chain> = []
    let chain: Chain | undefined
    for (const piece of pieces) {
      if (meetings.isMeeting(piece.from)) chain = undefined
      if (isCommon(piece)) continue
      if (chain === undefined) chains.push((chain = []))
      chain.push(piece)
    }
    return chains
  })

/** The relation of two areas where borders nearer than a distance are one; undefined where that leaves nothing of a ring. */
const relate = (onePolygons: Polygons, otherPolygons: Polygons, distance: number): Relation | undefined => {
  const [one, other] = [borderOf(onePolygons), borderOf(otherPolygons)]
  const [oneSide, otherSide] = [
    { border: one, base: 0 },
    { border: other, base: one.count }
  ]
  const pairOf = (pair: readonly [number, number] | undefined): EdgePair | undefined =>
    pair && { edge: nameOf(one, pair[0]), otherEdge: nameOf(other, pair[1]) }
  const meetings = findMeetings(oneSide, otherSide, distance)
  if (!("any" in meetings)) {
    const none = () => undefined
    return { least: 0, crossing: pairOf(meetings), oneInside: none, oneOutside: none, otherInside: none }
  }
  const [onePieces, otherPieces] = [cutUp(oneSide, meetings), cutUp(otherSide, meetings)]
  if (![...onePieces, ...otherPieces].every((pieces) => pieces.length > 0)) return undefined
  const least = distance > TOUCHING_DISTANCE ? TOLERATED * distance : 0
  const xOf = (corner: number) => (corner < one.count ? one.ax[corner]! : other.ax[corner - one.count]!)
  const yOf = (corner: number) => (corner < one.count ? one.ay[corner]! : other.ay[corner - one.count]!)
  const lengthOf = ({ from, to }: Piece) => Math.hypot(xOf(to) - xOf(from), yOf(to) - yOf(from))
  const { sideBySide, backToBack, isCommon } = compareBorders(
    onePieces,
    otherPieces,
    meetings,
    one.count + other.count,
    lengthOf
  )
  /** The chains that lie inside an area, or outside, until they are enough. */
  const evidenceOf = (
    rings: Cut,
    of: Border,
    side: "inside" | "outside",
    area: Border
  ): Evidence<EdgeAt> | undefined => {
    let evidence: Evidence<number> | undefined
    for (const chain of chainsOf(rings, meetings, isCommon)) {
      const { from, to, edge } = chain[0]!
      // Common pieces are excluded, so the middle of this piece is clearly off the border and may be rounded.
      const [x, y] = [(xOf(from) + xOf(to)) / 2, (yOf(from) + yOf(to)) / 2]
      if (encloses(area, 0, area.count, x, y) !== (side === "inside")) continue
      // A ring without meetings is wholly on one side, however short it is.
      const isWhole = !chain.some((piece) => meetings.isMeeting(piece.from) || meetings.isMeeting(piece.to))
      evidence = moreOf(evidence, edge, isWhole ? Infinity : chain.reduce((sum, piece) => sum + lengthOf(piece), 0))
      if (evidence.length > least) break
    }
    return evidence && { at: nameOf(of, evidence.at), length: evidence.length }
  }
  const pairsOf = (evidence: Evidence<readonly [number, number]> | undefined): Evidence<EdgePair> | undefined =>
    evidence && { at: pairOf(evidence.at)!, length: evidence.length }
  return {
    least,
    sideBySide: pairsOf(sideBySide),
    backToBack: pairsOf(backToBack),
    oneInside: () => evidenceOf(onePieces, one, "inside", other),
    oneOutside: () => evidenceOf(onePieces, one, "outside", other),
    otherInside: () => evidenceOf(otherPieces, other, "inside", one)
  }
}

/** The first fault, where the borders that show it and the ones after it are long enough in all. */
const firstOf = <Fault>(least: number, ...all: ReadonlyArray<() => Evidence<Fault> | undefined>): Fault | undefined => {
  let first: Evidence<Fault> | undefined
  for (const evidence of all) {
    const found = evidence()
    if (found === undefined) continue
    first = moreOf(first, found.at, found.length)
    if (first.length > least) return first.at
  }
  return undefined
}

/** What evidence says. */
const saying =
  <At, Fault>(evidence: () => Evidence<At> | undefined, fault: (at: At) => Fault) =>
  (): Evidence<Fault> | undefined => {
    const found = evidence()
    return found && { at: fault(found.at), length: found.length }
  }

/**
 * The fault between two areas whose borders are shared as far as they are nearer than {@link SHARED_DISTANCE}. An area may be narrower than
 * that, so that both its sides would lie on one border: what is right by {@link TOUCHING_DISTANCE} is right.
 */
const faultOf = <Fault>(
  one: Polygons,
  other: Polygons,
  faultIn: (relation: Relation) => Fault | undefined
): Fault | undefined => {
  const shared = relate(one, other, SHARED_DISTANCE)
  const fault = shared && faultIn(shared)
  if (shared !== undefined && fault === undefined) return undefined
  const exact = relate(one, other, TOUCHING_DISTANCE)
  return exact === undefined ? fault : faultIn(exact) && (fault ?? faultIn(exact))
}

/** The reason why `inner` does not lie inside `outer`, if it does not. Both must be valid; a common border is allowed. */
export const whyNotInside = (outer: Polygons, inner: Polygons): NotInside | undefined =>
  faultOf<NotInside>(inner, outer, ({ least, crossing, backToBack, oneOutside, otherInside }) =>
    crossing
      ? { _tag: "BordersCross", ...crossing }
      : firstOf<NotInside>(
          least,
          saying(
            () => backToBack,
            (pair) => ({ _tag: "BackToBack", ...pair })
          ),
          saying(oneOutside, (edge) => ({ _tag: "EdgeOutside", edge })),
          saying(otherInside, (otherEdge) => ({ _tag: "GapCovered", otherEdge }))
        )
  )

/** The overlap of two areas, if their interiors meet. Both must be valid; a common border is allowed. */
export const whyOverlap = (one: Polygons, other: Polygons): Overlap | undefined => {
  if (!boundsMeet(boundsOf(one), boundsOf(other))) return undefined
  return faultOf<Overlap>(one, other, ({ least, crossing, sideBySide, oneInside, otherInside }) =>
    crossing
      ? { _tag: "BordersCross", ...crossing }
      : firstOf<Overlap>(
          least,
          saying(
            () => sideBySide,
            (pair) => ({ _tag: "SideBySide", ...pair })
          ),
          saying(oneInside, (edge) => ({ _tag: "EdgeInside", edge })),
          saying(otherInside, (otherEdge) => ({ _tag: "OtherEdgeInside", otherEdge }))
        )
  )
}
