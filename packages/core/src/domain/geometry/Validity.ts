import type { TrackingAreaFault } from "./Fault.ts"
import { crosses, type Edge, encloses, nameOf, nearPairs, type Outline, outlinesOf } from "./Outline.ts"
import { type EdgeAt, type Polygons, touchesSegment } from "./Position.ts"

type Parts = ReadonlyArray<ReadonlyArray<Outline>>

/** An edge of 180 degrees or more could as well run the other way round the earth. */
const LONGEST_EDGE = 180

const edgeTooLong = (polygons: Polygons): TrackingAreaFault | undefined => {
  for (const [part, rings] of polygons.entries()) {
    for (const [index, ring] of rings.entries()) {
      const to = ring.findIndex(([lng], i) => i > 0 && Math.abs(lng - ring[i - 1]![0]) >= LONGEST_EDGE)
      if (to > 0) return { _tag: "EdgeTooLong", edge: { from: [part, index, to - 1], to: [part, index, to] } }
    }
  }
  return undefined
}

const ringWithoutArea = (parts: Parts): TrackingAreaFault | undefined => {
  for (const [part, rings] of parts.entries()) {
    const index = rings.findIndex((outline) => outline.length < 3)
    if (index >= 0) return { _tag: "RingWithoutArea", ring: [part, index] }
  }
  return undefined
}

const inDrawnOrder = (one: EdgeAt, other: EdgeAt) => {
  const [a, b] = [one.from, other.from]
  const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
  return order <= 0 ? { edge: one, otherEdge: other } : { edge: other, otherEdge: one }
}

/** Edges that share a corner may meet there and nowhere else. */
const spike = (parts: Parts): TrackingAreaFault | undefined => {
  for (const outline of parts.flat()) {
    for (const [i, { from, to }] of outline.entries()) {
      const before = outline.at(i - 1)!.from
      if (
        touchesSegment(before.position, from.position, to.position) ||
        touchesSegment(to.position, before.position, from.position)
      ) {
        return { _tag: "Spike", at: from.at }
      }
    }
  }
  return undefined
}

/** Two segments that do not cross are nearest to each other at an end of one of them. */
const edgesTouch = (e: Edge, f: Edge): boolean =>
  touchesSegment(e.from.position, f.from.position, f.to.position) ||
  touchesSegment(e.to.position, f.from.position, f.to.position) ||
  touchesSegment(f.from.position, e.from.position, e.to.position) ||
  touchesSegment(f.to.position, e.from.position, e.to.position)

const edgesMeet = (parts: Parts): TrackingAreaFault | undefined => {
  for (const [e, f] of nearPairs(parts.flat(2))) {
    if (e.to === f.from || f.to === e.from) continue
    if (crosses(e, f)) {
      return { _tag: "EdgesCross", ...inDrawnOrder(nameOf(e), nameOf(f)) }
    }
    if (edgesTouch(e, f)) {
      return { _tag: "EdgesTouch", ...inDrawnOrder(nameOf(e), nameOf(f)) }
    }
  }
  return undefined
}

/** Once no two rings meet, one corner says where the whole ring lies. */
const liesInside = (ring: Outline, outlines: ReadonlyArray<Outline>): boolean =>
  encloses(outlines, ring[0]!.from.position)

const misplacedHole = (parts: Parts): TrackingAreaFault | undefined => {
  for (const [part, rings] of parts.entries()) {
    for (let index = 1; index < rings.length; index++) {
      const hole = rings[index]!
      if (!liesInside(hole, [rings[0]!])) return { _tag: "HoleOutsideShell", hole: [part, index] }
      const around = rings.findIndex((ring, i) => i > 0 && i !== index && liesInside(hole, [ring]))
      if (around > 0) return { _tag: "HoleInsideHole", hole: [part, index], otherHole: [part, around] }
    }
  }
  return undefined
}

/** A part in another part's hole is apart from it. */
const misplacedPart = (parts: Parts): TrackingAreaFault | undefined => {
  for (const [part, [shell]] of parts.entries()) {
    const otherPart = parts.findIndex((rings, i) => i !== part && liesInside(shell!, rings))
    if (otherPart >= 0) return { _tag: "PartInsidePart", part, otherPart }
  }
  return undefined
}

/**
 * Why closed rings of positions in range do not enclose an area: an edge is too long, a ring crosses or touches itself or
 * another, a hole is outside its shell or inside another hole, or a part is inside another.
 *
 * Stricter than the OGC's rules, which let a hole touch its shell, and parts each other, in single points.
 */
export const whyInvalid = (polygons: Polygons): TrackingAreaFault | undefined => {
  const tooLong = edgeTooLong(polygons)
  if (tooLong !== undefined) return tooLong
  const parts = outlinesOf(polygons)
  return ringWithoutArea(parts) ?? spike(parts) ?? edgesMeet(parts) ?? misplacedHole(parts) ?? misplacedPart(parts)
}
